(** Walks to the sink: survivors, the distance to the sink, the mixing time and the forward probability. *)

From Crosshead Require Export Heads.

(** What has not reached the sink after t steps from j: 1 - (W^t)[sink][j]. *)
Definition survivor (n : nat) (W : matrix) (t j : nat) : Q := 1 - power n W t (n - 1)%nat j.

(** || W^t e_j - e_sink ||_1. *)
Definition l1_distance (n : nat) (W : matrix) (t j : nat) : Q :=
  sum n (fun i => Qabs (power n W t i j - unit i (n - 1)%nat)).

(** d(t) < eps, where d(t) is the greatest distance over all starts. *)
Definition mixed_at (n : nat) (W : matrix) (eps : Q) (t : nat) : Prop :=
  forall j, (j < n)%nat -> l1_distance n W t j < eps.

(** T_mix(eps) = T: the first time at which the walk is mixed. *)
Definition mixing_time (n : nat) (W : matrix) (eps : Q) (T : nat) : Prop :=
  mixed_at n W eps T /\ forall s, (s < T)%nat -> ~ mixed_at n W eps s.

(** The least probability to leave a node other than the sink. *)
Definition forward_probability (n : nat) (W : matrix) : Q := least (n - 1)%nat (fun j => 1 - W j j).

Section Walk.
Variables (n : nat) (W : matrix).
Hypothesis walk : walk_matrix n W.

Lemma power_column t j : (j < n)%nat -> sum n (fun i => power n W t i j) == 1.
Proof.
  revert j. induction t as [|t IH]; intros j Hj; simpl.
  - rewrite (sum_single n j); [apply unit_same|exact Hj|]. intros i _ Hi. apply unit_other. exact Hi.
  - unfold product. rewrite sum_swap. transitivity (sum n (fun k => W k j)); [|apply walk; exact Hj].
    apply sum_ext. intros k Hk. rewrite sum_scale_right, IH by exact Hk. ring.
Qed.

Lemma walk_power_nonneg t i j : (i < n)%nat -> (j < n)%nat -> 0 <= power n W t i j.
Proof. apply power_nonneg. apply walk. Qed.

Lemma walk_at_most_1 i j : (i < n)%nat -> (j < n)%nat -> W i j <= 1.
Proof.
  intros Hi Hj. rewrite <- (walk_column n W walk j Hj).
  apply (sum_term_le n i (fun i => W i j) Hi). intros; apply walk; assumption.
Qed.

Lemma power_at_most_1 t i j : (i < n)%nat -> (j < n)%nat -> power n W t i j <= 1.
Proof.
  intros Hi Hj. rewrite <- (power_column t j Hj).
  apply (sum_term_le n i (fun i => power n W t i j) Hi). intros; apply walk_power_nonneg; assumption.
Qed.

Lemma survivor_nonneg t j : (j < n)%nat -> 0 <= survivor n W t j.
Proof. intros Hj. unfold survivor. assert (Hs : (n - 1 < n)%nat) by lia.
  pose proof (power_at_most_1 t (n - 1)%nat j Hs Hj). lra. Qed.

Lemma survivor_at_most_1 t j : (j < n)%nat -> survivor n W t j <= 1.
Proof.
  intros Hj. unfold survivor. assert (Hs : (n - 1 < n)%nat) by lia.
  pose proof (walk_power_nonneg t (n - 1)%nat j Hs Hj). lra.
Qed.

Lemma survivor_0 j : (j < n - 1)%nat -> survivor n W 0 j == 1.
Proof. intros Hj. unfold survivor. simpl. rewrite unit_other by lia. ring. Qed.

Lemma survivor_of_sink t : (0 < n)%nat -> survivor n W t (n - 1)%nat == 0.
Proof.
  intros Hn. unfold survivor. induction t as [|t IH]; simpl.
  - rewrite unit_same. ring.
  - unfold product. rewrite (sum_single n (n - 1)%nat).
    + assert (E : W (n - 1)%nat (n - 1)%nat == 1).
      { rewrite <- (walk_column n W walk (n - 1)%nat) by lia. symmetry.
        apply (sum_single n (n - 1) (fun i => W i (n - 1)%nat)); [lia|].
        intros i Hi Hne. apply walk; lia. }
      rewrite E. lra.
    + lia.
    + intros k Hk Hne. rewrite (walk_forward n W walk k (n - 1)%nat) by lia. ring.
Qed.

(** One step first: s_(t+1)(j) = sum_k s_t(k) W[k][j]. *)
Lemma survivor_step t j : (j < n)%nat -> survivor n W (S t) j == sum n (fun k => survivor n W t k * W k j).
Proof.
  intros Hj. unfold survivor. simpl. unfold product.
  transitivity (sum n (fun k => W k j - power n W t (n - 1)%nat k * W k j)).
  - rewrite sum_minus, (walk_column n W walk j Hj). reflexivity.
  - apply sum_ext. intros k _. ring.
Qed.

(** The distance to the sink is twice the survivor. *)
Theorem l1_distance_is_twice_survivor t j : (j < n)%nat -> l1_distance n W t j == 2 * survivor n W t j.
Proof.
  intros Hj. unfold l1_distance. assert (Hs : (n - 1 < n)%nat) by lia.
  pose proof (power_column t j Hj) as Hcolumn.
  rewrite (sum_without n (n - 1)%nat) in Hcolumn by exact Hs.
  rewrite (sum_without n (n - 1)%nat) by exact Hs.
  assert (E : sum n (fun i => if Nat.eq_dec i (n - 1)%nat then 0 else Qabs (power n W t i j - unit i (n - 1)%nat)) ==
              sum n (fun i => if Nat.eq_dec i (n - 1)%nat then 0 else power n W t i j)).
  { apply sum_ext. intros i Hi. destruct (Nat.eq_dec i (n - 1)%nat); [reflexivity|].
    rewrite unit_other by assumption. rewrite Qabs_pos; [ring|].
    pose proof (walk_power_nonneg t i j Hi Hj). lra. }
  rewrite E, unit_same, Qabs_neg by (pose proof (power_at_most_1 t (n - 1)%nat j Hs Hj); lra).
  unfold survivor. lra.
Qed.

Lemma mixed_at_survivors eps t :
  mixed_at n W eps t <-> forall j, (j < n)%nat -> 2 * survivor n W t j < eps.
Proof.
  split; intros H j Hj; specialize (H j Hj); rewrite l1_distance_is_twice_survivor in *; assumption.
Qed.

Lemma mixed_at_decidable eps t : {mixed_at n W eps t} + {~ mixed_at n W eps t}.
Proof.
  assert (D : forall m, {forall j, (j < m)%nat -> l1_distance n W t j < eps} +
                        {~ forall j, (j < m)%nat -> l1_distance n W t j < eps}).
  { induction m as [|m [IH|IH]].
    - left. intros. lia.
    - destruct (Qlt_le_dec (l1_distance n W t m) eps) as [H|H].
      + left. intros j Hj. destruct (Nat.eq_dec j m) as [->|]; [exact H|apply IH; lia].
      + right. intros H'. specialize (H' m (Nat.lt_succ_diag_r m)). lra.
    - right. intros H. apply IH. intros j Hj. apply H. lia. }
  apply D.
Qed.

(** A walk that is mixed at t has a mixing time, and it is at most t. *)
Theorem mixing_time_exists eps t : mixed_at n W eps t -> exists T, (T <= t)%nat /\ mixing_time n W eps T.
Proof.
  induction t as [t IH] using (well_founded_induction lt_wf). intros Ht.
  assert (D : (exists s, (s < t)%nat /\ mixed_at n W eps s) \/ forall s, (s < t)%nat -> ~ mixed_at n W eps s).
  { clear IH Ht. induction t as [|t [[s [Hs Hm]]|IH]].
    - right. intros. lia.
    - left. exists s. split; [lia|exact Hm].
    - destruct (mixed_at_decidable eps t) as [H|H].
      + left. exists t. split; [lia|exact H].
      + right. intros s Hs. destruct (Nat.eq_dec s t) as [->|]; [exact H|apply IH; lia]. }
  destruct D as [[s [Hs Hm]]|H].
  - destruct (IH s Hs Hm) as [T [HT Hmix]]. exists T. split; [lia|exact Hmix].
  - exists t. split; [lia|]. split; assumption.
Qed.

(** Survivors never grow, so a mixed walk stays mixed. *)
Lemma survivor_decreases t j : (j < n)%nat -> survivor n W (S t) j <= survivor n W t j.
Proof.
  revert j. induction t as [|t IH]; intros j Hj.
  - destruct (Nat.eq_dec j (n - 1)%nat) as [->|Hne].
    + rewrite !survivor_of_sink by lia. lra.
    + rewrite survivor_0 by lia. apply survivor_at_most_1. exact Hj.
  - rewrite (survivor_step (S t)), (survivor_step t) by exact Hj. apply sum_le. intros k Hk.
    apply Qmult_le_compat_r; [apply IH; exact Hk|]. apply walk; assumption.
Qed.

Theorem mixed_stays_mixed eps s t : (s <= t)%nat -> mixed_at n W eps s -> mixed_at n W eps t.
Proof.
  intros Hst. rewrite !mixed_at_survivors. intros H. induction Hst as [|t Hst IH]; [exact H|].
  intros j Hj. specialize (IH j Hj). pose proof (survivor_decreases t j Hj). lra.
Qed.

Lemma forward_probability_le j : (j < n - 1)%nat -> forward_probability n W <= 1 - W j j.
Proof. intros Hj. apply (least_le (n - 1)%nat (fun j => 1 - W j j) j Hj). Qed.

End Walk.

Lemma forward_probability_nonneg n W : walk_matrix n W -> 0 <= forward_probability n W.
Proof.
  intros HW. apply least_greatest; [lra|]. intros j Hj.
  assert (Hn : (j < n)%nat) by lia.
  pose proof (walk_at_most_1 n W HW j j Hn Hn). lra.
Qed.

(** p(mixture) >= sum_h alpha_h p_h. *)
Theorem forward_probability_of_mixture n H a W :
  convex H a -> (forall h, (h < H)%nat -> walk_matrix n (W h)) ->
  sum H (fun h => a h * forward_probability n (W h)) <= forward_probability n (mixture H a W).
Proof.
  intros [Ha Hsum] HW. apply least_greatest.
  - rewrite <- Hsum. apply sum_le. intros h Hh. specialize (Ha h Hh).
    pose proof (least_at_most_1 (n - 1)%nat (fun j => 1 - W h j j)). unfold forward_probability. nra.
  - intros j Hj. unfold mixture. rewrite <- Hsum, <- sum_minus. apply sum_le. intros h Hh.
    specialize (Ha h Hh). pose proof (forward_probability_le n (W h) j Hj). nra.
Qed.
