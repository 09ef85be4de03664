(** The binomial lower tail, and that survivors of a feedforward walk are at most it. *)

From Crosshead Require Export Walks.

(** [tail p t k] = P(Bin(t, p) < k), by conditioning on the last trial. *)
Fixpoint tail (p : Q) (t k : nat) : Q :=
  match t, k with
  | _, O => 0
  | O, S _ => 1
  | S s, S l => (1 - p) * tail p s (S l) + p * tail p s l
  end.

Lemma tail_none p t : tail p t 0 == 0.
Proof. destruct t; reflexivity. Qed.

Section Tail.
Variable p : Q.
Hypothesis p_nonneg : 0 <= p.
Hypothesis p_at_most_1 : p <= 1.

Lemma tail_nonneg t k : 0 <= tail p t k.
Proof.
  revert k. induction t as [|t IH]; intros [|k]; simpl; try lra.
  pose proof (IH k). pose proof (IH (S k)). nra.
Qed.

Lemma tail_monotone_step t k : tail p t k <= tail p t (S k).
Proof.
  revert k. induction t as [|t IH]; intros [|k]; try (simpl; lra).
  - apply tail_nonneg.
  - simpl. pose proof (IH k). pose proof (IH (S k)). nra.
Qed.

Lemma tail_monotone t k l : (k <= l)%nat -> tail p t k <= tail p t l.
Proof.
  induction 1 as [|l _ IH]; [lra|]. pose proof (tail_monotone_step t l). lra.
Qed.

(** Chernoff's bound without exponentials: tail(t, k+1) L^k <= (1 - p + p L)^t for 0 <= L <= 1. *)
Theorem chernoff L t k : 0 <= L -> L <= 1 -> tail p t (S k) * power_of L k <= power_of (1 - p + p * L) t.
Proof.
  intros H0 H1. revert k. induction t as [|t IH]; intros k.
  - simpl. pose proof (power_of_at_most_1 L k H0 H1). lra.
  - destruct k as [|k].
    + pose proof (IH O) as IH0. simpl in *. rewrite tail_none. pose proof (tail_nonneg t 1).
      set (X := power_of (1 - p + p * L) t) in *.
      assert ((1 - p) * tail p t 1 <= (1 - p) * X) by nra.
      assert (0 <= p * L) by nra. assert (0 <= (p * L) * X) by (apply Qmult_le_0_compat; lra). lra.
    + change (tail p (S t) (S (S k))) with ((1 - p) * tail p t (S (S k)) + p * tail p t (S k)).
      pose proof (IH (S k)) as A. pose proof (IH k) as B. simpl power_of in *.
      set (X := power_of (1 - p + p * L) t) in *.
      set (T1 := tail p t (S (S k)) * (L * power_of L k)) in *. set (T0 := tail p t (S k) * power_of L k) in *.
      assert (E : ((1 - p) * tail p t (S (S k)) + p * tail p t (S k)) * (L * power_of L k) ==
                  (1 - p) * T1 + (p * L) * T0) by (unfold T1, T0; ring).
      assert ((1 - p) * T1 <= (1 - p) * X) by (apply scale_le; lra).
      assert ((p * L) * T0 <= (p * L) * X) by (apply scale_le; [nra|exact B]).
      assert (E' : (1 - p + p * L) * X == (1 - p) * X + (p * L) * X) by ring. lra.
Qed.

End Tail.

(** The binomial coefficient, by Pascal's rule, and the tail as the textbook's sum:
    tail(t, k) = sum over i < k of C(t, i) p^i (1-p)^(t-i). *)
Fixpoint choose (t i : nat) : nat :=
  match t, i with
  | _, O => 1
  | O, S _ => 0
  | S s, S l => choose s l + choose s (S l)
  end.

Definition binomial_probability (p : Q) (t i : nat) : Q :=
  inject_Z (Z.of_nat (choose t i)) * power_of p i * power_of (1 - p) (t - i).

Lemma choose_beyond t i : (t < i)%nat -> choose t i = O.
Proof.
  revert i. induction t as [|t IH]; intros [|i] H; try lia.
  - reflexivity.
  - simpl. rewrite !IH by lia. reflexivity.
Qed.

Lemma binomial_probability_step p t i :
  binomial_probability p (S t) (S i) == (1 - p) * binomial_probability p t (S i) + p * binomial_probability p t i.
Proof.
  unfold binomial_probability. simpl choose. rewrite Nat2Z.inj_add, inject_Z_plus. simpl power_of.
  destruct (le_lt_dec (S i) t) as [H|H].
  - replace (S t - S i)%nat with (S (t - S i))%nat by lia. replace (t - i)%nat with (S (t - S i))%nat by lia.
    simpl power_of. ring.
  - rewrite (choose_beyond t (S i)) by lia. replace (S t - S i)%nat with (t - i)%nat by lia. simpl. ring.
Qed.

Theorem tail_is_the_binomial_sum p t k : tail p t k == sum k (binomial_probability p t).
Proof.
  revert k. induction t as [|t IH]; intros k.
  - destruct k as [|k]; [reflexivity|]. simpl tail. rewrite sum_first.
    rewrite sum_zero by (intros; unfold binomial_probability; simpl; ring).
    unfold binomial_probability. simpl. ring.
  - destruct k as [|k]; [reflexivity|]. simpl tail. rewrite !IH, (sum_first k (binomial_probability p (S t))).
    assert (E : sum k (fun i => binomial_probability p (S t) (S i)) ==
                sum k (fun i => (1 - p) * binomial_probability p t (S i) + p * binomial_probability p t i)).
    { apply sum_ext. intros i _. apply binomial_probability_step. }
    rewrite E.
    rewrite sum_plus, !sum_scale, (sum_first k (binomial_probability p t)).
    replace (binomial_probability p (S t) 0) with
      (inject_Z (Z.of_nat 1) * power_of p 0 * power_of (1 - p) (S t)) by (destruct t; reflexivity).
    replace (binomial_probability p t 0) with
      (inject_Z (Z.of_nat 1) * power_of p 0 * power_of (1 - p) t)
      by (unfold binomial_probability; rewrite Nat.sub_0_r; destruct t; reflexivity).
    simpl. ring.
Qed.

(** A height falls by at least one along every edge that is not a self-loop. The longest path to the sink is one;
    n - 1 - j is another. *)
Definition height_of_walk (n : nat) (W : matrix) (height : nat -> nat) : Prop :=
  forall i j, (i < n)%nat -> (j < n - 1)%nat -> i <> j -> 0 < W i j -> (height i < height j)%nat.

(** Survivors are at most P(Bin(t, p) < height). *)
Theorem binomial_domination n W p height :
  walk_matrix n W -> height_of_walk n W height -> 0 < p ->
  (forall j, (j < n - 1)%nat -> p <= 1 - W j j) ->
  forall t j, (j < n - 1)%nat -> survivor n W t j <= tail p t (height j).
Proof.
  intros HW Hheight Hp Hforward.
  assert (Hself : forall j, (j < n - 1)%nat -> 0 <= W j j /\ p <= 1 - W j j).
  { intros j Hj. split; [apply HW; lia|apply Hforward, Hj]. }
  assert (Hrest : forall j, (j < n - 1)%nat ->
            sum n (fun i => if Nat.eq_dec i j then 0 else W i j) == 1 - W j j).
  { intros j Hj. assert (Hn : (j < n)%nat) by lia. pose proof (walk_column n W HW j Hn) as Hcolumn.
    rewrite (sum_without n j) in Hcolumn by exact Hn. lra. }
  (* Every node but the sink has somewhere to go, so its height is positive. *)
  assert (Hpositive : forall j, (j < n - 1)%nat -> (0 < height j)%nat).
  { intros j Hj. destruct (height j) eqn:E; [exfalso|lia]. specialize (Hrest j Hj).
    rewrite sum_zero in Hrest; [destruct (Hself j Hj); lra|].
    intros i Hi. destruct (Nat.eq_dec i j) as [|Hne]; [reflexivity|].
    assert (0 <= W i j) by (apply HW; lia).
    destruct (Qlt_le_dec 0 (W i j)) as [Hedge|]; [|lra].
    specialize (Hheight i j Hi Hj Hne Hedge). lia. }
  induction t as [|t IH]; intros j Hj.
  - rewrite survivor_0 by assumption. specialize (Hpositive j Hj). destruct (height j); [lia|]. simpl. lra.
  - destruct (Hself j Hj) as [H0 Hp1]. specialize (Hrest j Hj). specialize (Hpositive j Hj).
    destruct (height j) as [|h] eqn:E; [lia|].
    rewrite survivor_step by (assumption || lia). rewrite (sum_without n j) by lia.
    assert (B : sum n (fun k => if Nat.eq_dec k j then 0 else survivor n W t k * W k j) <=
                sum n (fun k => tail p t h * (if Nat.eq_dec k j then 0 else W k j))).
    { apply sum_le. intros k Hk. destruct (Nat.eq_dec k j) as [|Hne]; [lra|].
      assert (Hnonneg : 0 <= W k j) by (apply HW; lia).
      assert (Htail : 0 <= tail p t h) by (apply tail_nonneg; lra).
      destruct (Qlt_le_dec 0 (W k j)) as [Hedge|Hzero].
      - specialize (Hheight k j Hk Hj Hne Hedge).
        destruct (Nat.eq_dec k (n - 1)%nat) as [->|Hks].
        + rewrite survivor_of_sink by (assumption || lia). nra.
        + assert (Hk' : (k < n - 1)%nat) by lia. pose proof (IH k Hk').
          assert (tail p t (height k) <= tail p t h) by (apply tail_monotone; lra || lia). nra.
      - assert (Z : W k j == 0) by lra. rewrite Z. lra. }
    rewrite sum_scale, Hrest in B. pose proof (IH j Hj) as A. rewrite E in A. simpl.
    assert (tail p t h <= tail p t (S h)) by (apply tail_monotone_step; lra). nra.
Qed.

(** With N = n - 1 in place of the height. *)
Theorem binomial_domination_N n W p :
  walk_matrix n W -> 0 < p -> (forall j, (j < n - 1)%nat -> p <= 1 - W j j) ->
  forall t j, (j < n - 1)%nat -> survivor n W t j <= tail p t (n - 1).
Proof.
  intros HW Hp Hforward t j Hj.
  assert (H0 : 0 <= W j j) by (apply HW; lia). pose proof (Hforward j Hj).
  eapply Qle_trans.
  - apply (binomial_domination n W p (fun j => n - 1 - j)%nat); try assumption.
    intros i k Hi Hk Hne Hedge. destruct (le_lt_dec i k) as [Hle|]; [|lia].
    assert (Z : W i k == 0) by (apply HW; lia). lra.
  - apply tail_monotone; lra || lia.
Qed.
