(** Fidelity, and the certificate that lets a search for a maximum over all t stop. *)

From Crosshead Require Export Heads.

(** The signal of node j at the sink after t steps. *)
Definition signal (n : nat) (D : matrix) (t j : nat) : Q := power n D t (n - 1)%nat j.

(** The fidelity phi_j = sup over t >= 1 of the signal is at least x. A supremum need not be a rational, nor
    attained; these two say all that is used of it. *)
Definition fidelity_at_least (n : nat) (D : matrix) (j : nat) (x : Q) : Prop :=
  forall margin, 0 < margin -> exists t, (1 <= t)%nat /\ x - margin < signal n D t j.
Definition fidelity_at_most (n : nat) (D : matrix) (j : nat) (x : Q) : Prop :=
  forall t, (1 <= t)%nat -> signal n D t j <= x.
Definition fidelity_is (n : nat) (D : matrix) (j : nat) (x : Q) : Prop :=
  fidelity_at_least n D j x /\ fidelity_at_most n D j x.

(** phi_j >= x for all nodes j: the minimax fidelity is at least x. *)
Definition minimax_fidelity_at_least (n : nat) (D : matrix) (x : Q) : Prop :=
  forall j, (j < n)%nat -> fidelity_at_least n D j x.

(** j reaches k along edges of D. *)
Inductive reaches (n : nat) (D : matrix) : nat -> nat -> Prop :=
| reaches_itself j : reaches n D j j
| reaches_further j k i : (i < n)%nat -> reaches n D j k -> 0 < D i k -> reaches n D j i.

(** A set of nodes, as a test, that no edge leaves. *)
Definition closed (n : nat) (D : matrix) (member : nat -> bool) : Prop :=
  forall i k, (i < n)%nat -> (k < n)%nat -> member k = true -> 0 < D i k -> member i = true.

(** Every closed set that holds j holds all that j reaches. *)
Lemma closed_holds_what_is_reached n D member j k :
  closed n D member -> member j = true -> (j < n)%nat -> reaches n D j k -> member k = true.
Proof.
  intros Hclosed Hj Hn R. assert (A : (k < n)%nat /\ member k = true); [|apply A].
  induction R as [j|j k i Hi R IH Hedge]; [split; assumption|].
  destruct (IH Hj Hn) as [Hk Hm]. split; [exact Hi|]. exact (Hclosed i k Hi Hk Hm Hedge).
Qed.

(** m(t) = sum over the nodes k of the set of (D^t)[sink][k]. *)
Definition mass (n : nat) (D : matrix) (member : nat -> bool) (t : nat) : Q :=
  sum n (fun k => if member k then signal n D t k else 0).

Section Certificate.
Variables (n : nat) (D : matrix) (member : nat -> bool).
Hypothesis diffusion : diffusion_matrix n D.
Hypothesis no_edge_leaves : closed n D member.

Lemma signal_nonneg t j : (j < n)%nat -> 0 <= signal n D t j.
Proof. intros Hj. apply power_nonneg; [apply diffusion|lia|exact Hj]. Qed.

Theorem mass_never_increases t : mass n D member (S t) <= mass n D member t.
Proof.
  unfold mass.
  apply Qle_trans with (sum n (fun i => signal n D t i * sum n (fun k => if member k then D i k else 0))).
  { apply Qle_lteq. right.
    transitivity (sum n (fun k => sum n (fun i => signal n D t i * (if member k then D i k else 0)))).
    - apply sum_ext. intros k Hk. unfold signal. simpl. unfold product. destruct (member k).
      + reflexivity.
      + symmetry. apply sum_zero. intros. ring.
    - rewrite sum_swap. apply sum_ext. intros i Hi. apply sum_scale. }
  apply sum_le. intros i Hi. pose proof (signal_nonneg t i Hi) as Hsignal.
  destruct (member i) eqn:E.
  - assert (sum n (fun k => if member k then D i k else 0) <= 1).
    { rewrite <- (diffusion_row n D diffusion i Hi). apply sum_le. intros k Hk.
      destruct (member k); [lra|]. apply diffusion; assumption. }
    setoid_replace (signal n D t i) with (signal n D t i * 1) at 2 by ring. apply scale_le; assumption.
  - rewrite sum_zero; [lra|]. intros k Hk. destruct (member k) eqn:Ek; [|reflexivity].
    assert (0 <= D i k) by (apply diffusion; assumption).
    destruct (Qlt_le_dec 0 (D i k)) as [Hedge|]; [|lra].
    rewrite (no_edge_leaves i k Hi Hk Ek Hedge) in E. discriminate.
Qed.

Lemma mass_monotone s t : (s <= t)%nat -> mass n D member t <= mass n D member s.
Proof.
  induction 1 as [|t _ IH]; [lra|]. pose proof (mass_never_increases t). lra.
Qed.

(** The mass bounds every later signal of a node of the set. *)
Theorem stopping_certificate s t j :
  (s <= t)%nat -> (j < n)%nat -> member j = true -> signal n D t j <= mass n D member s.
Proof.
  intros Hst Hj Hm. eapply Qle_trans; [|apply (mass_monotone s t Hst)]. unfold mass.
  assert (E : signal n D t j == if member j then signal n D t j else 0) by (rewrite Hm; reflexivity).
  rewrite E. apply (sum_term_le n j (fun k => if member k then signal n D t k else 0) Hj).
  intros k Hk. destruct (member k); [apply signal_nonneg; exact Hk|lra].
Qed.

(** Once the mass is at most the running maximum, the maximum is the fidelity. *)
Theorem maximum_is_final s j best :
  (j < n)%nat -> member j = true -> (forall t, (1 <= t <= s)%nat -> signal n D t j <= best) ->
  (exists t, (1 <= t)%nat /\ signal n D t j == best) -> mass n D member s <= best ->
  fidelity_is n D j best.
Proof.
  intros Hj Hm Hbest [t0 [Ht0 Hat]] Hmass. split.
  - intros margin Hmargin. exists t0. split; [exact Ht0|]. lra.
  - intros t Ht. destruct (le_lt_dec t s) as [Hle|Hlt]; [apply Hbest; lia|].
    pose proof (stopping_certificate s t j (Nat.lt_le_incl _ _ Hlt) Hj Hm). lra.
Qed.

End Certificate.
