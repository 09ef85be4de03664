(** Heads, and the two matrices that a head gives: the walk matrix and the diffusion matrix.

    Nodes are 0..n-1 in topological order, the sink is n-1. A head is its weights w i j >= 0 of the edges j -> i,
    j <= i; an edge is a pair with w > 0. *)

From Crosshead Require Export Matrices.

Definition feedforward_weights (n : nat) (w : matrix) : Prop :=
  (forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= w i j) /\
  (forall i j, (i < j)%nat -> (j < n)%nat -> w i j == 0).

(** W[i][j] = w(j->i) / sum_i' w(j->i'). *)
Definition walk_of_head (n : nat) (w : matrix) : matrix := fun i j => w i j / sum n (fun k => w k j).

(** D[i][j] = w(j->i) / sum_j' w(j'->i). *)
Definition diffusion_of_head (n : nat) (w : matrix) : matrix := fun i j => w i j / sum n (fun k => w i k).

(** Column-stochastic and lower triangular: what is used of a walk matrix. *)
Record walk_matrix (n : nat) (W : matrix) : Prop := {
  walk_nonneg : forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= W i j;
  walk_column : forall j, (j < n)%nat -> sum n (fun i => W i j) == 1;
  walk_forward : forall i j, (i < j)%nat -> (j < n)%nat -> W i j == 0
}.

(** Row-stochastic and lower triangular: what is used of a diffusion matrix. *)
Record diffusion_matrix (n : nat) (D : matrix) : Prop := {
  diffusion_nonneg : forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= D i j;
  diffusion_row : forall i, (i < n)%nat -> sum n (fun j => D i j) == 1;
  diffusion_forward : forall i j, (i < j)%nat -> (j < n)%nat -> D i j == 0
}.

Lemma divided_nonneg x y : 0 <= x -> 0 < y -> 0 <= x / y.
Proof. intros Hx Hy. apply Qle_shift_div_l; [exact Hy|]. lra. Qed.

(** Every head whose nodes all have an out-edge (the self-loop counts) gives a walk matrix. *)
Theorem walk_of_head_is_walk_matrix n w :
  feedforward_weights n w -> (forall j, (j < n)%nat -> 0 < sum n (fun i => w i j)) ->
  walk_matrix n (walk_of_head n w).
Proof.
  intros [Hnonneg Hforward] Hout. unfold walk_of_head. constructor.
  - intros i j Hi Hj. apply divided_nonneg; auto.
  - intros j Hj. unfold Qdiv. rewrite sum_scale_right. apply Qmult_inv_r. specialize (Hout j Hj). lra.
  - intros i j Hij Hj. rewrite (Hforward i j Hij Hj). unfold Qdiv. ring.
Qed.

(** Every head whose nodes all have an in-edge (the self-loop counts) gives a diffusion matrix. *)
Theorem diffusion_of_head_is_diffusion_matrix n w :
  feedforward_weights n w -> (forall i, (i < n)%nat -> 0 < sum n (fun j => w i j)) ->
  diffusion_matrix n (diffusion_of_head n w).
Proof.
  intros [Hnonneg Hforward] Hin. unfold diffusion_of_head. constructor.
  - intros i j Hi Hj. apply divided_nonneg; auto.
  - intros i Hi. unfold Qdiv. rewrite sum_scale_right. apply Qmult_inv_r. specialize (Hin i Hi). lra.
  - intros i j Hij Hj. rewrite (Hforward i j Hij Hj). unfold Qdiv. ring.
Qed.

Lemma mixture_nonneg n H c M :
  convex H c -> (forall h, (h < H)%nat -> forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= M h i j) ->
  forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= mixture H c M i j.
Proof.
  intros [Hc _] HM i j Hi Hj. apply sum_nonneg. intros h Hh. apply Qmult_le_0_compat; auto.
Qed.

Theorem mixture_of_walks n H a W :
  convex H a -> (forall h, (h < H)%nat -> walk_matrix n (W h)) -> walk_matrix n (mixture H a W).
Proof.
  intros Ha HW. constructor.
  - apply mixture_nonneg; [exact Ha|]. intros h Hh. apply walk_nonneg, HW, Hh.
  - intros j Hj. unfold mixture. rewrite sum_swap. transitivity (sum H a); [|apply Ha].
    apply sum_ext. intros h Hh. rewrite sum_scale, (walk_column n (W h)) by auto. ring.
  - intros i j Hij Hj. apply sum_zero. intros h Hh. rewrite (walk_forward n (W h)) by auto. ring.
Qed.

Theorem mixture_of_diffusions n H b D :
  convex H b -> (forall h, (h < H)%nat -> diffusion_matrix n (D h)) -> diffusion_matrix n (mixture H b D).
Proof.
  intros Hb HD. constructor.
  - apply mixture_nonneg; [exact Hb|]. intros h Hh. apply diffusion_nonneg, HD, Hh.
  - intros i Hi. unfold mixture. rewrite sum_swap. transitivity (sum H b); [|apply Hb].
    apply sum_ext. intros h Hh. rewrite sum_scale, (diffusion_row n (D h)) by auto. ring.
  - intros i j Hij Hj. apply sum_zero. intros h Hh. rewrite (diffusion_forward n (D h)) by auto. ring.
Qed.
