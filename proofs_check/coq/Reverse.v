(** The reverse bound: n phi <= (4/3) T for the walk down from the sink that is absorbed at node 0. *)

From Crosshead Require Export Fidelity.

(** ||(row i of D^t) - e_0||_1 / 2 <= 1/4 for every start i: the reverse walk, which goes from i to j with
    probability D[i][j], is within 1/4 of the source in total variation. *)
Definition reversely_mixed (n : nat) (D : matrix) (t : nat) : Prop :=
  forall i, (i < n)%nat -> 3 # 4 <= power n D t i O.

(** What has not reached node 0 after t steps down from i. *)
Definition above_source (n : nat) (D : matrix) (t i : nat) : Q := 1 - power n D t i O.

Section Reverse.
Variables (n : nat) (D : matrix).
Hypothesis diffusion : diffusion_matrix n D.

Lemma power_row t i : (i < n)%nat -> sum n (fun j => power n D t i j) == 1.
Proof.
  revert i. induction t as [|t IH]; intros i Hi.
  - rewrite (sum_single n i (fun j => power n D 0 i j) Hi).
    + apply unit_same.
    + intros j _ Hj. simpl. apply unit_other. auto.
  - simpl. unfold product. rewrite sum_swap.
    transitivity (sum n (fun k => power n D t i k)); [|apply IH; exact Hi].
    apply sum_ext. intros k Hk. rewrite sum_scale, (diffusion_row n D diffusion k Hk). ring.
Qed.

Lemma diffusion_power_nonneg t i j : (i < n)%nat -> (j < n)%nat -> 0 <= power n D t i j.
Proof. apply power_nonneg. apply diffusion. Qed.

Lemma diffusion_power_at_most_1 t i j : (i < n)%nat -> (j < n)%nat -> power n D t i j <= 1.
Proof.
  intros Hi Hj. rewrite <- (power_row t i Hi).
  apply (sum_term_le n j (fun j => power n D t i j) Hj). intros. apply diffusion_power_nonneg; assumption.
Qed.

(** Half the l1 distance is what has not arrived. *)
Theorem total_variation_is_above_source t i :
  (i < n)%nat -> sum n (fun j => Qabs (power n D t i j - unit O j)) == 2 * above_source n D t i.
Proof.
  intros Hi. assert (H0 : (0 < n)%nat) by lia.
  rewrite (sum_without n O (fun j => Qabs (power n D t i j - unit O j)) H0).
  rewrite unit_same.
  assert (E : 1 == power n D t i O + sum n (fun j => if Nat.eq_dec j O then 0 else power n D t i j)).
  { rewrite <- (sum_without n O (fun j => power n D t i j) H0). symmetry. apply power_row. exact Hi. }
  rewrite (sum_ext n (fun j => if Nat.eq_dec j O then 0 else Qabs (power n D t i j - unit O j))
                   (fun j => if Nat.eq_dec j O then 0 else power n D t i j)).
  - rewrite Qabs_neg; [unfold above_source; lra|].
    pose proof (diffusion_power_at_most_1 t i O Hi H0). lra.
  - intros j Hj. destruct (Nat.eq_dec j O) as [|Hne]; [reflexivity|].
    rewrite unit_other by auto. rewrite Qabs_pos; [ring|].
    pose proof (diffusion_power_nonneg t i j Hi Hj). lra.
Qed.

Lemma above_source_nonneg t i : (i < n)%nat -> 0 <= above_source n D t i.
Proof.
  intros Hi. unfold above_source. assert (H0 : (0 < n)%nat) by lia.
  pose proof (diffusion_power_at_most_1 t i O Hi H0). lra.
Qed.

Lemma above_source_at_most_1 t i : (i < n)%nat -> above_source n D t i <= 1.
Proof.
  intros Hi. unfold above_source. assert (H0 : (0 < n)%nat) by lia.
  pose proof (diffusion_power_nonneg t i O Hi H0). lra.
Qed.

Lemma source_stays t : (0 < n)%nat -> power n D t O O == 1.
Proof.
  intros H0. induction t as [|t IH]; [apply unit_same|].
  simpl. unfold product. rewrite (sum_single n O (fun k => power n D t O k * D k O) H0).
  - rewrite IH. assert (E : D O O == 1); [|rewrite E; ring].
    rewrite <- (diffusion_row n D diffusion O H0).
    symmetry. apply (sum_single n O (fun j => D O j) H0).
    intros j Hj Hne. apply (diffusion_forward n D diffusion); [lia|exact Hj].
  - intros k Hk Hne.
    assert (power n D t O k <= 0); [|pose proof (diffusion_power_nonneg t O k H0 Hk);
      assert (E : power n D t O k == 0) by lra; rewrite E; ring].
    pose proof (power_row t O H0) as Hrow.
    rewrite (sum_without n O (fun j => power n D t O j) H0), IH in Hrow.
    assert (Hterm : (if Nat.eq_dec k O then 0 else power n D t O k)
                    <= sum n (fun i => if Nat.eq_dec i O then 0 else power n D t O i)).
    { apply (sum_term_le n k (fun i => if Nat.eq_dec i O then 0 else power n D t O i) Hk).
      intros i Hi. destruct (Nat.eq_dec i O); [lra|]. apply diffusion_power_nonneg; assumption. }
    destruct (Nat.eq_dec k O); [contradiction|]. lra.
Qed.

(** What is above the source is spread over the other nodes. *)
Lemma above_source_is_spread t i :
  (i < n)%nat -> above_source n D t i == sum n (fun j => if Nat.eq_dec j O then 0 else power n D t i j).
Proof.
  intros Hi. assert (H0 : (0 < n)%nat) by lia. unfold above_source.
  rewrite <- (power_row t i Hi), (sum_without n O (fun j => power n D t i j) H0). ring.
Qed.

(** (D^(s+t)): first s steps to k, then t steps from there; at the source nothing is left to do. *)
Lemma above_source_add s t i :
  (i < n)%nat ->
  above_source n D (s + t) i
  == sum n (fun k => (if Nat.eq_dec k O then 0 else power n D s i k) * above_source n D t k).
Proof.
  intros Hi. assert (H0 : (0 < n)%nat) by lia. unfold above_source.
  rewrite (power_add n D s t i O Hi H0). unfold product.
  rewrite <- (power_row s i Hi), <- sum_minus. apply sum_ext. intros k Hk.
  destruct (Nat.eq_dec k O) as [->|]; [rewrite source_stays by exact H0; ring|ring].
Qed.

Section Mixed.
Variable T : nat.
Hypothesis mixed : reversely_mixed n D T.

Lemma above_source_falls s i : (i < n)%nat -> above_source n D (s + T) i <= (1 # 4) * above_source n D s i.
Proof.
  intros Hi. rewrite above_source_add, (above_source_is_spread s i Hi), <- sum_scale by exact Hi.
  apply sum_le. intros k Hk. destruct (Nat.eq_dec k O) as [|Hne]; [lra|].
  rewrite Qmult_comm. rewrite !(Qmult_comm _ (power n D s i k)).
  apply scale_le; [apply diffusion_power_nonneg; assumption|].
  unfold above_source. pose proof (mixed k Hk). lra.
Qed.

(** The expected number of steps among the first M T that do not start at the source. *)
Lemma expected_steps M i :
  (i < n)%nat ->
  (sum (M * T) (fun t => above_source n D t i)
   <= inject_Z (Z.of_nat T) * (4 # 3) * (1 - power_of (1 # 4) M))
  /\ (forall t, (t < T)%nat -> above_source n D (M * T + t) i <= power_of (1 # 4) M).
Proof.
  intros Hi. induction M as [|M [IHsum IHlast]].
  - split; [simpl; lra|]. intros t _. simpl. apply above_source_at_most_1. exact Hi.
  - split.
    + replace (S M * T)%nat with (M * T + T)%nat by lia. rewrite sum_split.
      assert (Hblock : sum T (fun t => above_source n D (M * T + t) i)
                       <= inject_Z (Z.of_nat T) * power_of (1 # 4) M).
      { rewrite <- sum_constant. apply sum_le. exact IHlast. }
      simpl power_of.
      setoid_replace (inject_Z (Z.of_nat T) * (4 # 3) * (1 - (1 # 4) * power_of (1 # 4) M))
        with (inject_Z (Z.of_nat T) * (4 # 3) * (1 - power_of (1 # 4) M)
              + inject_Z (Z.of_nat T) * power_of (1 # 4) M) by ring.
      apply Qplus_le_compat; assumption.
    + intros t Ht. replace (S M * T + t)%nat with ((M * T + t) + T)%nat by lia.
      eapply Qle_trans; [apply above_source_falls; exact Hi|]. simpl power_of.
      apply scale_le; [lra|]. apply IHlast. exact Ht.
Qed.

End Mixed.

(** The signal at the sink itself never rises. *)
Lemma sink_signal_falls t : (0 < n)%nat -> signal n D (S t) (n - 1)%nat <= signal n D t (n - 1)%nat.
Proof.
  intros H0. assert (Hs : (n - 1 < n)%nat) by lia. unfold signal. simpl. unfold product.
  rewrite (sum_single n (n - 1)%nat (fun k => power n D t (n - 1)%nat k * D k (n - 1)%nat) Hs).
  - assert (D (n - 1)%nat (n - 1)%nat <= 1).
    { rewrite <- (diffusion_row n D diffusion (n - 1)%nat Hs).
      apply (sum_term_le n (n - 1)%nat (fun j => D (n - 1)%nat j) Hs). intros.
      apply (diffusion_nonneg n D diffusion); assumption. }
    setoid_replace (power n D t (n - 1)%nat (n - 1)%nat)
      with (power n D t (n - 1)%nat (n - 1)%nat * 1) at 2 by ring.
    apply scale_le; [apply diffusion_power_nonneg; exact Hs|assumption].
  - intros k Hk Hne. rewrite (diffusion_forward n D diffusion k (n - 1)%nat); [ring|lia|exact Hs].
Qed.

Lemma sink_signal_after_one t :
  (0 < n)%nat -> (1 <= t)%nat -> signal n D t (n - 1)%nat <= signal n D 1 (n - 1)%nat.
Proof.
  intros H0. induction 1 as [|t Ht IH]; [lra|]. pose proof (sink_signal_falls t H0). lra.
Qed.

Lemma sum_longer (f : nat -> Q) s t :
  (forall i, 0 <= f i) -> (s <= t)%nat -> sum s f <= sum t f.
Proof.
  intros Hf. induction 1 as [|t Ht IH]; [lra|]. simpl. pose proof (Hf t). lra.
Qed.

(** One time serves finitely many nodes, where later times serve too. *)
Lemma common_time m (P : nat -> nat -> Prop) :
  (forall j s t, (j < m)%nat -> (s <= t)%nat -> P j s -> P j t) ->
  (forall j, (j < m)%nat -> exists t, P j t) -> exists t, forall j, (j < m)%nat -> P j t.
Proof.
  induction m as [|m IH]; intros Hlater Heach.
  - exists O. intros. lia.
  - destruct IH as [t Ht]; [intros j s t Hj; apply Hlater; lia|intros; apply Heach; lia|].
    destruct (Heach m) as [s Hs]; [lia|]. exists (Nat.max s t). intros j Hj.
    destruct (Nat.eq_dec j m) as [->|Hne].
    + apply (Hlater m s); [lia|lia|exact Hs].
    + apply (Hlater j t); [lia|lia|apply Ht; lia].
Qed.

(** What node j adds to the expected steps: at least its fidelity; the sink also starts there. *)
Definition share (phi : Q) (j : nat) : Q :=
  if Nat.eq_dec j O then 0 else if Nat.eq_dec j (n - 1) then 1 + phi else phi.

Lemma sum_of_shares phi : (2 <= n)%nat -> sum n (share phi) == 1 + inject_Z (Z.of_nat (n - 1)) * phi.
Proof.
  intros Hn.
  rewrite (sum_ext n (share phi) (fun j => phi + ((if Nat.eq_dec j O then - phi else 0)
                                                  + (if Nat.eq_dec j (n - 1) then 1 else 0)))).
  - rewrite !sum_plus, sum_constant.
    rewrite (sum_single n O (fun j => if Nat.eq_dec j O then - phi else 0)); [|lia|].
    + rewrite (sum_single n (n - 1)%nat (fun j => if Nat.eq_dec j (n - 1) then 1 else 0)); [|lia|].
      * destruct (Nat.eq_dec O O); [|contradiction].
        destruct (Nat.eq_dec (n - 1) (n - 1)); [|contradiction].
        replace (Z.of_nat n) with (Z.of_nat (n - 1) + 1)%Z by lia. rewrite inject_Z_plus. ring.
      * intros j _ Hj. destruct (Nat.eq_dec j (n - 1)); [contradiction|reflexivity].
    + intros j _ Hj. destruct (Nat.eq_dec j O); [contradiction|reflexivity].
  - intros j Hj. unfold share.
    destruct (Nat.eq_dec j O), (Nat.eq_dec j (n - 1)); try lia; ring.
Qed.

(** n phi <= (4/3) T. *)
Theorem reverse_bound phi T :
  (2 <= n)%nat -> minimax_fidelity_at_least n D phi -> reversely_mixed n D T ->
  inject_Z (Z.of_nat n) * phi <= (4 # 3) * inject_Z (Z.of_nat T).
Proof.
  intros Hn Hphi Hmixed. assert (Hs : (n - 1 < n)%nat) by lia.
  assert (HT : (1 <= T)%nat).
  { destruct T; [|lia]. pose proof (Hmixed (n - 1)%nat Hs) as H. simpl in H.
    rewrite unit_other in H by lia. lra. }
  assert (Hsignal : forall t j, (j < n)%nat -> 0 <= signal n D t j).
  { intros. apply diffusion_power_nonneg; [exact Hs|assumption]. }
  (* with any margin *)
  assert (Hmargin : forall margin, 0 < margin ->
            inject_Z (Z.of_nat n) * (phi - margin) <= (4 # 3) * inject_Z (Z.of_nat T)).
  { intros margin Hpos.
    destruct (common_time n (fun j K => share (phi - margin) j
                                        <= sum K (fun t => if Nat.eq_dec j O then 0 else signal n D t j)))
      as [K HK].
    - intros j s t Hj Hst H. eapply Qle_trans; [exact H|]. apply sum_longer; [|exact Hst].
      intros i. destruct (Nat.eq_dec j O); [lra|]. apply Hsignal. exact Hj.
    - intros j Hj. unfold share. destruct (Nat.eq_dec j O) as [|Hne].
      + exists O. simpl. lra.
      + destruct (Hphi j Hj margin Hpos) as [t [Ht Hat]].
        destruct (Nat.eq_dec j (n - 1)) as [->|Hinner].
        * exists 2%nat. simpl sum. assert (E : signal n D 0 (n - 1)%nat == 1) by apply unit_same.
          rewrite E. assert (H0 : (0 < n)%nat) by lia.
          pose proof (sink_signal_after_one t H0 Ht). lra.
        * exists (S t). simpl sum.
          assert (0 <= sum t (fun u => signal n D u j)).
          { apply sum_nonneg. intros. apply Hsignal. exact Hj. }
          lra.
    - assert (Hlong : sum n (share (phi - margin))
                      <= sum (K * T) (fun t => above_source n D t (n - 1)%nat)).
      { apply Qle_trans with (sum n (fun j => sum (K * T) (fun t => if Nat.eq_dec j O then 0 else signal n D t j))).
        - apply sum_le. intros j Hj. eapply Qle_trans; [apply HK; exact Hj|].
          apply sum_longer; [|nia]. intros i. destruct (Nat.eq_dec j O); [lra|]. apply Hsignal. exact Hj.
        - rewrite sum_swap. apply sum_le. intros t _. rewrite (above_source_is_spread t _ Hs). apply Qle_refl. }
      destruct (expected_steps T Hmixed K (n - 1)%nat Hs) as [Hsteps _].
      rewrite (sum_of_shares (phi - margin) Hn) in Hlong.
      assert (Hsmall : phi - margin <= 1).
      { destruct (Hphi O ltac:(lia) margin Hpos) as [t [_ Hat]].
        assert (signal n D t O <= 1) by (apply diffusion_power_at_most_1; lia). lra. }
      assert (Hwhole : inject_Z (Z.of_nat T) * (4 # 3) * (1 - power_of (1 # 4) K)
                       <= (4 # 3) * inject_Z (Z.of_nat T)).
      { assert (0 <= power_of (1 # 4) K) by (apply power_of_nonneg; lra).
        assert (0 <= inject_Z (Z.of_nat T)) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia).
        set (q := power_of (1 # 4) K) in *. set (c := inject_Z (Z.of_nat T)) in *.
        assert (c * (1 - q) <= c * 1) by (apply scale_le; lra). lra. }
      replace (Z.of_nat n) with (Z.of_nat (n - 1) + 1)%Z by lia. rewrite inject_Z_plus.
      set (m := inject_Z (Z.of_nat (n - 1))) in *.
      setoid_replace ((m + inject_Z 1) * (phi - margin)) with (m * (phi - margin) + (phi - margin)) by ring.
      lra. }
  (* and so without one *)
  apply Qnot_lt_le. intros Hless.
  assert (Hnpos : 0 < inject_Z (Z.of_nat n)) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia).
  set (N := inject_Z (Z.of_nat n)) in *. set (B := (4 # 3) * inject_Z (Z.of_nat T)) in *.
  assert (Hgap : 0 < (N * phi - B) / (2 * N)) by (apply Qlt_shift_div_l; lra).
  pose proof (Hmargin _ Hgap) as H.
  assert (E : N * (phi - (N * phi - B) / (2 * N)) == (1 # 2) * (N * phi) + (1 # 2) * B).
  { field. intros E. rewrite E in Hnpos. lra. }
  rewrite E in H. lra.
Qed.

(** As published: n phi <= (8/3) T. *)
Corollary reverse_bound_as_published phi T :
  (2 <= n)%nat -> minimax_fidelity_at_least n D phi -> reversely_mixed n D T ->
  inject_Z (Z.of_nat n) * phi <= (8 # 3) * inject_Z (Z.of_nat T).
Proof.
  intros Hn Hphi Hmixed. pose proof (reverse_bound phi T Hn Hphi Hmixed).
  assert (0 <= inject_Z (Z.of_nat T)) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; lia). lra.
Qed.

End Reverse.
