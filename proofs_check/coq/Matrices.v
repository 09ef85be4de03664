(** Square matrices of rationals and their powers. Entries are indexed (destination, source); a matrix of order n
    uses the indices 0..n-1, and what it holds elsewhere is never looked at. *)

From Crosshead Require Export Sums.

Definition matrix := nat -> nat -> Q.

Definition unit (i j : nat) : Q := if Nat.eq_dec i j then 1 else 0.

Definition product (n : nat) (A B : matrix) : matrix := fun i j => sum n (fun k => A i k * B k j).

(** [power n A t] is A^t, formed as A^(t-1) A. *)
Fixpoint power (n : nat) (A : matrix) (t : nat) : matrix :=
  match t with
  | O => unit
  | S s => product n (power n A s) A
  end.

(** The convex combination sum_h c_h M^(h) of H matrices. *)
Definition mixture (H : nat) (c : nat -> Q) (M : nat -> matrix) : matrix :=
  fun i j => sum H (fun h => c h * M h i j).

Definition convex (H : nat) (c : nat -> Q) : Prop :=
  (forall h, (h < H)%nat -> 0 <= c h) /\ sum H c == 1.

Lemma unit_same i : unit i i == 1.
Proof. unfold unit. destruct (Nat.eq_dec i i); [reflexivity|contradiction]. Qed.

Lemma unit_other i j : i <> j -> unit i j == 0.
Proof. intros H. unfold unit. destruct (Nat.eq_dec i j); [contradiction|reflexivity]. Qed.

Lemma unit_nonneg i j : 0 <= unit i j.
Proof. unfold unit. destruct (Nat.eq_dec i j); lra. Qed.

Lemma sum_unit_left n i f : (i < n)%nat -> sum n (fun k => unit i k * f k) == f i.
Proof.
  intros Hi. rewrite (sum_single n i); auto.
  - rewrite unit_same. ring.
  - intros k _ Hk. rewrite unit_other by auto. ring.
Qed.

Lemma sum_unit_right n j f : (j < n)%nat -> sum n (fun k => f k * unit k j) == f j.
Proof.
  intros Hj. rewrite (sum_single n j); auto.
  - rewrite unit_same. ring.
  - intros k _ Hk. rewrite unit_other by auto. ring.
Qed.

Lemma product_ext n A A' B B' i j :
  (forall k, (k < n)%nat -> A i k == A' i k) -> (forall k, (k < n)%nat -> B k j == B' k j) ->
  product n A B i j == product n A' B' i j.
Proof.
  intros HA HB. unfold product. apply sum_ext. intros k Hk. rewrite HA, HB by exact Hk. reflexivity.
Qed.

Lemma product_associates n A B C i j :
  product n (product n A B) C i j == product n A (product n B C) i j.
Proof.
  unfold product.
  transitivity (sum n (fun k => sum n (fun l => A i l * B l k * C k j))).
  { apply sum_ext. intros k _. rewrite <- sum_scale_right. reflexivity. }
  rewrite sum_swap. apply sum_ext. intros l _. rewrite <- sum_scale. apply sum_ext. intros k _. ring.
Qed.

(** A^(s+t) = A^s A^t. *)
Lemma power_add n A s t i j :
  (i < n)%nat -> (j < n)%nat -> power n A (s + t) i j == product n (power n A s) (power n A t) i j.
Proof.
  intros Hi. revert j. induction t as [|t IH]; intros j Hj.
  - rewrite Nat.add_0_r. simpl. unfold product. rewrite sum_unit_right by exact Hj. reflexivity.
  - rewrite Nat.add_succ_r. simpl. rewrite <- product_associates.
    apply product_ext; intros k Hk; [apply IH; exact Hk|reflexivity].
Qed.

Lemma power_1 n A i j : (i < n)%nat -> power n A 1 i j == A i j.
Proof. intros Hi. simpl. unfold product. rewrite sum_unit_left by exact Hi. reflexivity. Qed.

(** A^(t+1) = A A^t. *)
Lemma power_succ_left n A t i j :
  (i < n)%nat -> (j < n)%nat -> power n A (S t) i j == product n A (power n A t) i j.
Proof.
  intros Hi Hj. change (S t) with (1 + t)%nat. rewrite power_add by assumption.
  apply product_ext; intros k Hk; [apply power_1; exact Hi|reflexivity].
Qed.

Lemma power_nonneg n A t i j :
  (forall k l, (k < n)%nat -> (l < n)%nat -> 0 <= A k l) -> (i < n)%nat -> (j < n)%nat -> 0 <= power n A t i j.
Proof.
  intros HA Hi. revert j. induction t as [|t IH]; intros j Hj; simpl; [apply unit_nonneg|].
  apply sum_nonneg. intros k Hk. apply Qmult_le_0_compat; auto.
Qed.
