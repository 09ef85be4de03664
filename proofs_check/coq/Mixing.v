(** A mixing-time theorem whose hypothesis is an inequality between rationals: the repaired Theorem 2.9. *)

From Crosshead Require Export BinomialTail.

Section Bound.
Variables (n : nat) (W : matrix) (p : Q).
Hypothesis walk : walk_matrix n W.
Hypothesis p_positive : 0 < p.
Hypothesis forward : forall j, (j < n - 1)%nat -> p <= 1 - W j j.

(** Survivors times L^(N-1) are at most (1 - p + p L)^t. *)
Lemma survivor_chernoff L t j :
  0 <= L -> L <= 1 -> (j < n - 1)%nat ->
  survivor n W t j * power_of L (n - 2) <= power_of (1 - p + p * L) t.
Proof.
  intros H0 H1 Hj.
  assert (Hp : p <= 1) by (pose proof (forward j Hj); assert (0 <= W j j) by (apply walk; lia); lra).
  pose proof (binomial_domination_N n W p walk p_positive forward t j Hj) as D.
  replace (n - 1)%nat with (S (n - 2)) in D by lia.
  pose proof (chernoff p (Qlt_le_weak _ _ p_positive) Hp L t (n - 2) H0 H1) as C.
  pose proof (power_of_nonneg L (n - 2) H0).
  assert (survivor n W t j * power_of L (n - 2) <= tail p t (S (n - 2)) * power_of L (n - 2))
    by (apply Qmult_le_compat_r; assumption).
  lra.
Qed.

(** If 2 (1 - p + p L)^t < eps L^(N-1) for some L in (0, 1], then T_mix(eps) <= t. *)
Theorem rational_mixing_bound eps L t :
  (2 <= n)%nat -> 0 < L -> L <= 1 -> 2 * power_of (1 - p + p * L) t < eps * power_of L (n - 2) ->
  exists T, (T <= t)%nat /\ mixing_time n W eps T.
Proof.
  intros Hn H0 H1 H. apply (mixing_time_exists n W).
  apply (mixed_at_survivors n W walk). intros j Hj.
  pose proof (power_of_pos L (n - 2) H0) as HL.
  assert (Hzero : 0 < eps).
  { assert (Hp : p <= 1) by (assert (0 <= W 0%nat 0%nat) by (apply walk; lia);
      assert (p <= 1 - W 0%nat 0%nat) by (apply forward; lia); lra).
    assert (0 <= power_of (1 - p + p * L) t) by (apply power_of_nonneg; nra). nra. }
  destruct (Nat.eq_dec j (n - 1)) as [->|Hne].
  - rewrite survivor_of_sink by (assumption || lia). lra.
  - assert (Hj' : (j < n - 1)%nat) by lia.
    pose proof (survivor_chernoff L t j (Qlt_le_weak _ _ H0) H1 Hj').
    apply (Qmult_lt_r _ _ _ HL). lra.
Qed.

End Bound.

(** The same for a mixture of heads, with p = sum_h alpha_h p_h. *)
Theorem rational_mixing_bound_of_heads n H a W eps L t :
  (2 <= n)%nat -> convex H a -> (forall h, (h < H)%nat -> walk_matrix n (W h)) ->
  let p := sum H (fun h => a h * forward_probability n (W h)) in
  0 < p -> 0 < L -> L <= 1 ->
  2 * power_of (1 - p + p * L) t < eps * power_of L (n - 2) ->
  exists T, (T <= t)%nat /\ mixing_time n (mixture H a W) eps T.
Proof.
  intros Hn Ha HW p Hp H0 H1 Hineq.
  apply (rational_mixing_bound n (mixture H a W) p) with (L := L); auto.
  - apply mixture_of_walks; assumption.
  - intros j Hj. eapply Qle_trans; [|apply (forward_probability_le n (mixture H a W) j Hj)].
    apply forward_probability_of_mixture; assumption.
Qed.
