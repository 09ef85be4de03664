(** Finite sums of rationals, indexed by 0..n-1, and the least of finitely many. *)

From Coq Require Export QArith Qabs Qminmax Arith Lia Lqa Setoid Morphisms List.
Export ListNotations.
Open Scope Q_scope.

(** [sum n f] is f 0 + ... + f (n-1). *)
Fixpoint sum (n : nat) (f : nat -> Q) : Q :=
  match n with
  | O => 0
  | S m => sum m f + f m
  end.

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i == g i) -> sum n f == sum n g.
Proof.
  induction n as [|n IH]; intros H; simpl; [reflexivity|].
  rewrite (H n) by lia. rewrite IH by (intros; apply H; lia). reflexivity.
Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof.
  induction n as [|n IH]; intros H; simpl; [lra|].
  assert (f n <= g n) by (apply H; lia).
  assert (sum n f <= sum n g) by (apply IH; intros; apply H; lia). lra.
Qed.

Lemma sum_zero n f : (forall i, (i < n)%nat -> f i == 0) -> sum n f == 0.
Proof.
  induction n as [|n IH]; intros H; simpl; [reflexivity|].
  rewrite (H n) by lia. rewrite IH by (intros; apply H; lia). ring.
Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof.
  intros H. rewrite <- (sum_zero n (fun _ => 0)) by (intros; reflexivity).
  apply sum_le. exact H.
Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) == sum n f + sum n g.
Proof. induction n as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) == sum n f - sum n g.
Proof. induction n as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_scale n c f : sum n (fun i => c * f i) == c * sum n f.
Proof. induction n as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_scale_right n c f : sum n (fun i => f i * c) == sum n f * c.
Proof. induction n as [|n IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_swap n m f :
  sum n (fun i => sum m (fun j => f i j)) == sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; simpl.
  - symmetry. apply sum_zero. reflexivity.
  - rewrite IH. rewrite <- sum_plus. reflexivity.
Qed.

(** A sum with one term that need not be zero. *)
Lemma sum_single n k f :
  (k < n)%nat -> (forall i, (i < n)%nat -> i <> k -> f i == 0) -> sum n f == f k.
Proof.
  induction n as [|n IH]; intros Hk H; [lia|]. simpl.
  destruct (Nat.eq_dec k n) as [->|Hne].
  - rewrite sum_zero by (intros; apply H; lia). ring.
  - rewrite IH by (try lia; intros; apply H; lia). rewrite (H n) by lia. ring.
Qed.

(** Taking one term out of a sum. *)
Lemma sum_without n k f :
  (k < n)%nat -> sum n f == f k + sum n (fun i => if Nat.eq_dec i k then 0 else f i).
Proof.
  intros Hk.
  assert (E : f k == sum n (fun i => if Nat.eq_dec i k then f i else 0)).
  { rewrite (sum_single n k); auto.
    - destruct (Nat.eq_dec k k); [reflexivity|contradiction].
    - intros i _ Hi. destruct (Nat.eq_dec i k); [contradiction|reflexivity]. }
  rewrite E, <- sum_plus. apply sum_ext. intros i _.
  destruct (Nat.eq_dec i k); ring.
Qed.

Lemma sum_term_le n k f :
  (k < n)%nat -> (forall i, (i < n)%nat -> 0 <= f i) -> f k <= sum n f.
Proof.
  intros Hk H. rewrite (sum_without n k) by exact Hk.
  assert (0 <= sum n (fun i => if Nat.eq_dec i k then 0 else f i)).
  { apply sum_nonneg. intros i Hi. destruct (Nat.eq_dec i k); [lra|auto]. }
  lra.
Qed.

Lemma sum_first n f : sum (S n) f == f O + sum n (fun i => f (S i)).
Proof. induction n as [|n IH]; [simpl; ring|]. simpl in *. rewrite IH. ring. Qed.

Lemma sum_split m n f : sum (m + n) f == sum m f + sum n (fun i => f (m + i)%nat).
Proof.
  induction n as [|n IH].
  - rewrite Nat.add_0_r. simpl. ring.
  - rewrite Nat.add_succ_r. simpl. rewrite IH. ring.
Qed.

Lemma sum_constant n c : sum n (fun _ => c) == inject_Z (Z.of_nat n) * c.
Proof.
  induction n as [|n IH]; [simpl; ring|].
  rewrite Nat2Z.inj_succ, <- Z.add_1_r, inject_Z_plus. simpl sum. rewrite IH. ring.
Qed.

(** [least n f] is the least of 1 and f 0, ..., f (n-1). The 1 gives the empty case a value; what is minimised
    here are probabilities, which it does not change. *)
Fixpoint least (n : nat) (f : nat -> Q) : Q :=
  match n with
  | O => 1
  | S m => Qmin (least m f) (f m)
  end.

Lemma least_le n f i : (i < n)%nat -> least n f <= f i.
Proof.
  induction n as [|n IH]; intros Hi; [lia|]. simpl.
  destruct (Nat.eq_dec i n) as [->|Hne].
  - apply Q.le_min_r.
  - eapply Qle_trans; [apply Q.le_min_l|]. apply IH. lia.
Qed.

Lemma least_greatest n f c : c <= 1 -> (forall i, (i < n)%nat -> c <= f i) -> c <= least n f.
Proof.
  intros H1. induction n as [|n IH]; intros H; simpl; [exact H1|].
  apply Q.min_glb; [apply IH; intros; apply H; lia|apply H; lia].
Qed.

Lemma least_at_most_1 n f : least n f <= 1.
Proof.
  induction n as [|n IH]; simpl; [lra|]. eapply Qle_trans; [apply Q.le_min_l|exact IH].
Qed.

Lemma scale_le c x y : 0 <= c -> x <= y -> c * x <= c * y.
Proof. intros Hc H. rewrite !(Qmult_comm c). apply Qmult_le_compat_r; assumption. Qed.

(** Natural powers of a rational. *)
Fixpoint power_of (x : Q) (t : nat) : Q :=
  match t with
  | O => 1
  | S s => x * power_of x s
  end.

Lemma power_of_nonneg x t : 0 <= x -> 0 <= power_of x t.
Proof. intros H. induction t as [|t IH]; simpl; [lra|]. nra. Qed.

Lemma power_of_add x s t : power_of x (s + t) == power_of x s * power_of x t.
Proof. induction s as [|s IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma power_of_le x y t : 0 <= x -> x <= y -> power_of x t <= power_of y t.
Proof.
  intros H0 H. induction t as [|t IH]; simpl; [lra|].
  pose proof (power_of_nonneg x t H0). nra.
Qed.

Lemma power_of_mul x s t : power_of x (s * t) == power_of (power_of x s) t.
Proof.
  induction t as [|t IH].
  - rewrite Nat.mul_0_r. reflexivity.
  - rewrite Nat.mul_succ_r, Nat.add_comm, power_of_add, IH. reflexivity.
Qed.

Lemma power_of_pos x t : 0 < x -> 0 < power_of x t.
Proof. intros H. induction t as [|t IH]; simpl; [lra|]. nra. Qed.

Lemma power_of_at_most_1 x t : 0 <= x -> x <= 1 -> power_of x t <= 1.
Proof.
  intros H0 H1. induction t as [|t IH]; simpl; [lra|].
  pose proof (power_of_nonneg x t H0). nra.
Qed.
