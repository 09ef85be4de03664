(** The mixing bounds with logarithms, over Coq's real numbers: for every eps, and for large N.

    Everything about matrices stays over Q; reals come in only to say how many steps are enough. *)

From Crosshead Require Export Mixing.
From Coq Require Import Reals Qreals Lra.

Lemma Q2R_power_of x t : Q2R (power_of x t) = (Q2R x ^ t)%R.
Proof.
  induction t as [|t IH]; simpl.
  - unfold Q2R. simpl. lra.
  - rewrite Q2R_mult, IH. reflexivity.
Qed.

Lemma Q2R_two : Q2R 2 = 2%R.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_one : Q2R 1 = 1%R.
Proof. unfold Q2R. simpl. lra. Qed.

Lemma Q2R_positive x : 0 < x -> (0 < Q2R x)%R.
Proof. intros H. apply Qlt_Rlt in H. unfold Q2R in H at 1. simpl in H. lra. Qed.

Lemma power_of_same x y t : x == y -> power_of x t == power_of y t.
Proof.
  intros H. induction t as [|t IH]; simpl; [reflexivity|].
  exact (Qmult_comp _ _ H _ _ IH).
Qed.

Open Scope R_scope.

Lemma exp_multiple x t : exp x ^ t = exp (x * INR t).
Proof.
  induction t as [|t IH].
  - simpl. rewrite Rmult_0_r, exp_0. reflexivity.
  - rewrite S_INR. simpl pow. rewrite IH, <- exp_plus. f_equal. ring.
Qed.

Lemma one_minus_le_exp x : 1 - x <= exp (- x).
Proof.
  destruct (Req_dec x 0) as [->|Hne].
  - rewrite Ropp_0, exp_0. lra.
  - pose proof (exp_ineq1 (- x)). lra.
Qed.

Lemma power_le_exp x t : 0 <= 1 - x -> (1 - x) ^ t <= exp (- x * INR t).
Proof. intros H. rewrite <- exp_multiple. apply pow_incr. split; [exact H|apply one_minus_le_exp]. Qed.

(** 2^k <= e^k. *)
Lemma power_of_two_le_exp k : 2 ^ k <= exp (INR k).
Proof.
  replace (INR k) with (1 * INR k) by ring. rewrite <- exp_multiple. apply pow_incr.
  pose proof (exp_ineq1 1). lra.
Qed.

(** T_mix(eps) <= t for every t >= 2 (N + ln(2/eps)) / p, N = n - 1. *)
Theorem mixing_every_epsilon n W p eps t :
  walk_matrix n W -> (2 <= n)%nat -> (0 < p)%Q -> (forall j, (j < n - 1)%nat -> (p <= 1 - W j j)%Q) ->
  (0 < eps)%Q -> 2 * (INR (n - 1) + ln (2 / Q2R eps)) / Q2R p <= INR t ->
  exists T, (T <= t)%nat /\ mixing_time n W eps T.
Proof.
  intros HW Hn Hp Hforward Heps Ht.
  assert (Hp1 : (p <= 1)%Q).
  { assert (0 <= W 0%nat 0%nat)%Q by (apply HW; lia).
    assert (p <= 1 - W 0%nat 0%nat)%Q by (apply Hforward; lia). Lqa.lra. }
  apply (rational_mixing_bound n W p HW Hp Hforward eps (1 # 2) t Hn); [reflexivity|discriminate|].
  apply Rlt_Qlt. rewrite !Q2R_mult, !Q2R_power_of, Q2R_plus, Q2R_minus, Q2R_mult, Q2R_two, Q2R_one.
  assert (Half : Q2R (1 # 2) = / 2) by (unfold Q2R; simpl; lra). rewrite Half.
  pose proof (Q2R_positive p Hp) as HpR. pose proof (Q2R_positive eps Heps) as HepsR.
  apply Qle_Rle in Hp1. rewrite Q2R_one in Hp1.
  set (q := Q2R p) in *. set (e := Q2R eps) in *.
  replace (1 - q + q * / 2) with (1 - q / 2) by field.
  assert (Hpow : (1 - q / 2) ^ t <= exp (- (INR (n - 1) + ln (2 / e)))).
  { eapply Rle_trans; [apply power_le_exp; lra|].
    apply Rmult_le_compat_l with (r := q / 2) in Ht; [|lra].
    replace (q / 2 * (2 * (INR (n - 1) + ln (2 / e)) / q)) with (INR (n - 1) + ln (2 / e)) in Ht
      by (field; lra).
    destruct (Rle_lt_or_eq_dec (- (q / 2) * INR t) (- (INR (n - 1) + ln (2 / e)))) as [H|H].
    - rewrite <- Ropp_mult_distr_l. apply Ropp_le_contravar. exact Ht.
    - left. apply exp_increasing. exact H.
    - right. rewrite H. reflexivity. }
  rewrite Ropp_plus_distr, exp_plus, !exp_Ropp in Hpow.
  rewrite exp_ln in Hpow by (apply Rdiv_lt_0_compat; lra).
  assert (Hexp : 2 ^ (n - 2) < exp (INR (n - 1))).
  { replace (n - 1)%nat with (S (n - 2)) by lia. rewrite S_INR, exp_plus.
    pose proof (power_of_two_le_exp (n - 2)). pose proof (exp_ineq1 1 ltac:(lra)).
    assert (0 < 2 ^ (n - 2)) by (apply pow_lt; lra). nra. }
  assert (H2 : 0 < 2 ^ (n - 2)) by (apply pow_lt; lra).
  rewrite pow_inv.
  assert (Hinv : / exp (INR (n - 1)) < / 2 ^ (n - 2)).
  { apply Rinv_lt_contravar; [|exact Hexp]. apply Rmult_lt_0_compat; [exact H2|lra]. }
  replace (/ (2 / e)) with (e / 2) in Hpow by (field; lra).
  set (a := / exp (INR (n - 1))) in *. set (b := / 2 ^ (n - 2)) in *. nra.
Qed.

(** ln 2 <= 7/10, from 2 <= (1 + 7/640)^64 <= e^(7/10). *)
Lemma ln_2_small : ln 2 <= 7 / 10.
Proof.
  assert (H : 2 <= exp (7 / 10)).
  { replace (7 / 10) with (7 / 640 * INR 64) by (simpl; field). rewrite <- exp_multiple.
    apply Rle_trans with ((1 + 7 / 640) ^ 64).
    - assert (H2 : 10219946 / 10000000 <= (1 + 7 / 640) ^ 2) by (simpl; lra).
      assert (step : forall a b k, 0 <= a -> a <= (1 + 7 / 640) ^ k -> b <= a * a -> b <= (1 + 7 / 640) ^ (k + k)).
      { intros a b k Ha Hk Hb. rewrite pow_add. apply Rle_trans with (a * a); [exact Hb|].
        apply Rmult_le_compat; assumption. }
      pose proof (step (10219946 / 10000000) (10444729 / 10000000) 2%nat ltac:(lra) H2 ltac:(lra)) as H4.
      pose proof (step (10444729 / 10000000) (10909236 / 10000000) 4%nat ltac:(lra) H4 ltac:(lra)) as H8.
      pose proof (step (10909236 / 10000000) (11901143 / 10000000) 8%nat ltac:(lra) H8 ltac:(lra)) as H16.
      pose proof (step (11901143 / 10000000) (14163720 / 10000000) 16%nat ltac:(lra) H16 ltac:(lra)) as H32.
      exact (step (14163720 / 10000000) 2 32%nat ltac:(lra) H32 ltac:(lra)).
    - apply pow_incr. pose proof (exp_ineq1 (7 / 640) ltac:(lra)). lra. }
  rewrite <- (ln_exp (7 / 10)). destruct H as [H|H].
  - left. apply ln_increasing; lra.
  - rewrite <- H. right. reflexivity.
Qed.

(** -ln(1 - x) >= x + x^2/2 + x^3/3 + x^4/4 + x^5/5 on [0, 1). *)
Lemma minus_ln_series x :
  0 <= x < 1 -> x + x ^ 2 / 2 + x ^ 3 / 3 + x ^ 4 / 4 + x ^ 5 / 5 <= - ln (1 - x).
Proof.
  intros [H0 H1]. destruct H0 as [H0|<-]; [|rewrite Rminus_0_r, ln_1; lra].
  set (g := fun y => - ln (1 - y) - (y + y ^ 2 / 2 + y ^ 3 / 3 + y ^ 4 / 4 + y ^ 5 / 5)).
  set (g' := fun y => / (1 - y) - (1 + y + y ^ 2 + y ^ 3 + y ^ 4)).
  assert (D : forall c, 0 <= c <= x -> derivable_pt_lim g c (g' c)).
  { intros c Hc. unfold g, g'.
    apply derivable_pt_lim_minus with (f1 := fun y => - ln (1 - y)).
    - replace (/ (1 - c)) with (- (/ (1 - c) * (0 - 1))) by ring.
      apply derivable_pt_lim_opp with (f := fun y => ln (1 - y)).
      apply (derivable_pt_lim_comp (fun y => 1 - y) ln).
      + apply derivable_pt_lim_minus with (f1 := fun _ => 1) (f2 := fun y => y);
          [apply derivable_pt_lim_const|apply derivable_pt_lim_id].
      + apply derivable_pt_lim_ln. lra.
    - assert (P : forall k, derivable_pt_lim (fun y => y ^ S k / INR (S k)) c (c ^ k)).
      { intros k. replace (c ^ k) with (INR (S k) * c ^ pred (S k) * / INR (S k)).
        - unfold Rdiv.
          replace (INR (S k) * c ^ pred (S k) * / INR (S k))
            with (INR (S k) * c ^ pred (S k) * (fun _ => / INR (S k)) c + c ^ S k * 0) by (simpl pred; ring).
          apply derivable_pt_lim_mult with (f1 := fun y => y ^ S k) (f2 := fun _ => / INR (S k));
            [apply derivable_pt_lim_pow|apply derivable_pt_lim_const].
        - simpl pred. field. apply not_0_INR. discriminate. }
      pose proof (P 1%nat) as P1. pose proof (P 2%nat) as P2. pose proof (P 3%nat) as P3.
      pose proof (P 4%nat) as P4.
      replace (INR 2) with 2 in P1 by (simpl; ring). replace (INR 3) with 3 in P2 by (simpl; ring).
      replace (INR 4) with 4 in P3 by (simpl; ring). replace (INR 5) with 5 in P4 by (simpl; ring).
      replace (c ^ 1) with c in P1 by ring.
      apply derivable_pt_lim_plus
        with (f1 := fun y => y + y ^ 2 / 2 + y ^ 3 / 3 + y ^ 4 / 4); [|exact P4].
      apply derivable_pt_lim_plus with (f1 := fun y => y + y ^ 2 / 2 + y ^ 3 / 3); [|exact P3].
      apply derivable_pt_lim_plus with (f1 := fun y => y + y ^ 2 / 2); [|exact P2].
      apply derivable_pt_lim_plus with (f1 := fun y => y); [apply derivable_pt_lim_id|exact P1]. }
  destruct (MVT_cor2 g g' 0 x H0 D) as [c [Hmean Hc]].
  assert (G0 : g 0 = 0) by (unfold g; rewrite Rminus_0_r, ln_1; field).
  assert (Hslope : 0 <= g' c).
  { unfold g'. replace (/ (1 - c) - (1 + c + c ^ 2 + c ^ 3 + c ^ 4)) with (c ^ 5 * / (1 - c)) by (field; lra).
    apply Rmult_le_pos; [apply pow_le; lra|]. left. apply Rinv_0_lt_compat. lra. }
  assert (0 <= g x) by nra. unfold g in *. lra.
Qed.

(** x (2x/(1 + x) + ln 2) <= -ln(1 - x) on [0, 1). *)
Lemma exponent_suffices x : 0 <= x < 1 -> x * (2 * x / (1 + x) + ln 2) <= - ln (1 - x).
Proof.
  intros Hx. eapply Rle_trans; [|apply minus_ln_series; exact Hx]. pose proof ln_2_small as Hln.
  assert (Hpoly : 0 <= 3 / 10 - 12 / 10 * x + 5 / 6 * x ^ 2 + 7 / 12 * x ^ 3 + 9 / 20 * x ^ 4 + x ^ 5 / 5).
  { (* tangents at a = 0.4265, where the polynomial is least *)
    set (a := 853 / 2000).
    assert (T2 : 0 <= (x - a) ^ 2) by apply pow2_ge_0.
    assert (T3 : 0 <= (x - a) ^ 2 * (x + 2 * a)) by (apply Rmult_le_pos; [exact T2|unfold a; lra]).
    assert (T4 : 0 <= (x - a) ^ 2 * (x ^ 2 + 2 * a * x + 3 * a ^ 2)).
    { apply Rmult_le_pos; [exact T2|].
      assert (0 <= x ^ 2) by (apply pow_le; lra). unfold a. lra. }
    assert (T5 : 0 <= (x - a) ^ 2 * (x ^ 3 + 2 * a * x ^ 2 + 3 * a ^ 2 * x + 4 * a ^ 3)).
    { apply Rmult_le_pos; [exact T2|].
      assert (0 <= x ^ 2) by (apply pow_le; lra). assert (0 <= x ^ 3) by (apply pow_le; lra).
      unfold a. lra. }
    unfold a in *. lra. }
  apply (Rmult_le_reg_r (1 + x)); [lra|].
  replace (x * (2 * x / (1 + x) + ln 2) * (1 + x)) with (2 * x ^ 2 + x * ln 2 * (1 + x)) by (field; lra).
  assert (x * ln 2 * (1 + x) <= x * (7 / 10) * (1 + x)).
  { apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; lra. }
  pose proof (Rmult_le_pos x _ (proj1 Hx) Hpoly). lra.
Qed.

Lemma ln_power x t : 0 < x -> ln (x ^ t) = INR t * ln x.
Proof.
  intros Hx. induction t as [|t IH].
  - simpl. rewrite ln_1. ring.
  - rewrite S_INR. simpl pow. rewrite ln_mult by (try apply pow_lt; exact Hx). rewrite IH. ring.
Qed.

Lemma ln_2_positive : 0 < ln 2.
Proof. rewrite <- ln_1. apply ln_increasing; lra. Qed.

(** T_mix(eps) <= t for every t >= 2 N / p, where N p >= ln(2/eps), N = n - 1. *)
Theorem mixing_large_N n W p eps t :
  walk_matrix n W -> (2 <= n)%nat -> (0 < p)%Q -> (forall j, (j < n - 1)%nat -> (p <= 1 - W j j)%Q) ->
  (0 < eps)%Q -> ln (2 / Q2R eps) <= INR (n - 1) * Q2R p -> 2 * INR (n - 1) / Q2R p <= INR t ->
  exists T, (T <= t)%nat /\ mixing_time n W eps T.
Proof.
  intros HW Hn Hp Hforward Heps Hlarge Ht.
  assert (Hp1 : (p <= 1)%Q).
  { assert (0 <= W 0%nat 0%nat)%Q by (apply HW; lia).
    assert (p <= 1 - W 0%nat 0%nat)%Q by (apply Hforward; lia). Lqa.lra. }
  destruct (Qlt_le_dec p 1) as [Hless|Hmore].
  - set (L := ((1 - p) / (2 - p))%Q).
    assert (HL0 : (0 < L)%Q) by (apply Qlt_shift_div_l; Lqa.lra).
    assert (HL1 : (L <= 1)%Q) by (apply Qle_shift_div_r; Lqa.lra).
    assert (Hbase : (1 - p + p * L == 2 * L)%Q).
    { unfold L. field. intros E. assert (2 - p == 0)%Q by exact E. Lqa.lra. }
    apply (rational_mixing_bound n W p HW Hp Hforward eps L t Hn HL0 HL1).
    assert (Epower : (power_of (1 - p + p * L) t == power_of (2 * L) t)%Q).
    { apply power_of_same. exact Hbase. }
    rewrite Epower. clear Epower Hbase. apply Rlt_Qlt.
    rewrite !Q2R_mult, !Q2R_power_of, Q2R_mult, Q2R_two.
    pose proof (Q2R_positive p Hp) as HpR. pose proof (Q2R_positive eps Heps) as HepsR.
    apply Qlt_Rlt in Hless. rewrite Q2R_one in Hless.
    assert (HLR : Q2R L = (1 - Q2R p) / (2 - Q2R p)).
    { unfold L. rewrite Q2R_div by (intros E; Lqa.lra). rewrite !Q2R_minus, Q2R_one, Q2R_two. reflexivity. }
    apply Q2R_positive in HL0. set (l := Q2R L) in *. set (q := Q2R p) in *. set (e := Q2R eps) in *.
    set (x := q / (2 - q)).
    assert (Hx : 0 <= x < 1).
    { unfold x. split; [left; apply Rdiv_lt_0_compat; lra|].
      apply (Rmult_lt_reg_r (2 - q)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Hxpos : 0 < x) by (apply Rdiv_lt_0_compat; lra).
    pose proof (exponent_suffices x Hx) as H.
    replace (1 - x) with (2 * l) in H by (rewrite HLR; unfold x; field; lra).
    replace (2 * x / (1 + x)) with q in H by (unfold x; field; lra).
    set (s := - ln (2 * l)) in *.
    assert (Hs : 0 <= s).
    { eapply Rle_trans; [|exact H]. pose proof ln_2_positive. apply Rmult_le_pos; lra. }
    assert (Hlnl : ln l = - s - ln 2).
    { unfold s. rewrite ln_mult by lra. ring. }
    assert (HN : INR (n - 1) = INR (n - 2) + 1) by (rewrite <- S_INR; f_equal; lia).
    assert (HN0 : 0 <= INR (n - 2)) by apply pos_INR.
    apply ln_lt_inv; [apply Rmult_lt_0_compat; [lra|apply pow_lt; lra]|
                      apply Rmult_lt_0_compat; [exact HepsR|apply pow_lt; exact HL0]|].
    rewrite !ln_mult by (try apply pow_lt; lra). rewrite !ln_power by lra.
    rewrite Hlnl. replace (ln (2 * l)) with (- s) by (unfold s; ring).
    replace (2 / e) with (2 * / e) in Hlarge by reflexivity.
    rewrite ln_mult, ln_Rinv in Hlarge by (try apply Rinv_0_lt_compat; lra).
    assert (Hsteps : INR (n - 1) * (q + ln 2) + INR (n - 1) * s <= INR t * s).
    { apply Rle_trans with (2 * INR (n - 1) / q * s); [|apply Rmult_le_compat_r; assumption].
      replace (2 * INR (n - 1) / q * s) with (INR (n - 1) * (s / x) + INR (n - 1) * s)
        by (unfold x; field; lra).
      apply Rplus_le_compat_r. apply Rmult_le_compat_l; [lra|].
      apply (Rmult_le_reg_l x); [exact Hxpos|]. replace (x * (s / x)) with s by (field; lra). exact H. }
    pose proof ln_2_positive. rewrite HN in *. nra.
  - (* every step leaves: the walk is over after N steps *)
    assert (Hone : (p == 1)%Q) by Lqa.lra.
    set (L := (eps / (eps + 2))%Q).
    assert (HL0 : (0 < L)%Q) by (apply Qlt_shift_div_l; Lqa.lra).
    assert (HL1 : (L <= 1)%Q) by (apply Qle_shift_div_r; Lqa.lra).
    assert (HL2 : (2 * L < eps)%Q).
    { unfold L. setoid_replace (2 * (eps / (eps + 2)))%Q with (2 * eps / (eps + 2))%Q
        by (field; intros E; Lqa.lra). apply Qlt_shift_div_r; [Lqa.lra|]. Lqa.nra. }
    apply (rational_mixing_bound n W p HW Hp Hforward eps L t Hn HL0 HL1).
    assert (Hlong : (n - 1 <= t)%nat).
    { apply INR_le. apply Qle_Rle in Hp1, Hmore. rewrite Q2R_one in Hp1, Hmore.
      replace (Q2R p) with 1 in Ht by lra. pose proof (pos_INR (n - 1)). lra. }
    assert (Epower : (power_of (1 - p + p * L) t == power_of L t)%Q).
    { apply power_of_same. rewrite Hone. ring. }
    rewrite Epower. replace t with (S (t - (n - 1)) + (n - 2))%nat by lia.
    rewrite power_of_add. simpl power_of.
    assert (Hrest : (power_of L (t - (n - 1)) <= 1)%Q) by (apply power_of_at_most_1; Lqa.lra).
    assert (Hrest0 : (0 <= power_of L (t - (n - 1)))%Q) by (apply power_of_nonneg; Lqa.lra).
    assert (Hpos : (0 < power_of L (n - 2))%Q) by (apply power_of_pos; exact HL0).
    set (a := power_of L (t - (n - 1))) in *. set (b := power_of L (n - 2)) in *.
    assert (Ha : (L * a <= L * 1)%Q) by (apply scale_le; Lqa.lra).
    setoid_replace (2 * (L * a * b))%Q with (2 * (L * a) * b)%Q by ring.
    apply Qmult_lt_r; [exact Hpos|Lqa.lra].
Qed.

(** Both for a mixture of heads, with p = sum_h alpha_h p_h. *)
Section Heads.
Variables (n H : nat) (a : nat -> Q) (W : nat -> matrix).
Hypothesis two_nodes : (2 <= n)%nat.
Hypothesis a_convex : convex H a.
Hypothesis walks : forall h, (h < H)%nat -> walk_matrix n (W h).
Let p := sum H (fun h => (a h * forward_probability n (W h))%Q).
Hypothesis p_positive : (0 < p)%Q.

Lemma mixture_leaves j : (j < n - 1)%nat -> (p <= 1 - mixture H a W j j)%Q.
Proof.
  intros Hj. eapply Qle_trans; [|apply (forward_probability_le n (mixture H a W) j Hj)].
  apply forward_probability_of_mixture; assumption.
Qed.

Theorem mixing_every_epsilon_of_heads eps t :
  (0 < eps)%Q -> 2 * (INR (n - 1) + ln (2 / Q2R eps)) / Q2R p <= INR t ->
  exists T, (T <= t)%nat /\ mixing_time n (mixture H a W) eps T.
Proof.
  intros. apply (mixing_every_epsilon n (mixture H a W) p); try assumption.
  - apply mixture_of_walks; assumption.
  - apply mixture_leaves.
Qed.

Theorem mixing_large_N_of_heads eps t :
  (0 < eps)%Q -> ln (2 / Q2R eps) <= INR (n - 1) * Q2R p -> 2 * INR (n - 1) / Q2R p <= INR t ->
  exists T, (T <= t)%nat /\ mixing_time n (mixture H a W) eps T.
Proof.
  intros. apply (mixing_large_N n (mixture H a W) p); try assumption.
  - apply mixture_of_walks; assumption.
  - apply mixture_leaves.
Qed.

End Heads.
