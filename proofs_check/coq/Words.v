(** Words: the power of a mixture is the sum over all words of its heads. *)

From Crosshead Require Export Heads.

(** A word is the list h_1, ..., h_t, h_1 first. [words H t] is every word of t letters below H. *)
Fixpoint words (H t : nat) : list (list nat) :=
  match t with
  | O => [[]]
  | S s => flat_map (fun h => map (fun w => h :: w) (words H s)) (seq 0 H)
  end.

(** beta_(h_1) ... beta_(h_t). *)
Fixpoint weight (b : nat -> Q) (word : list nat) : Q :=
  match word with
  | [] => 1
  | h :: rest => b h * weight b rest
  end.

(** M^(h_t) ... M^(h_1). *)
Fixpoint word_product (n : nat) (M : nat -> matrix) (word : list nat) : matrix :=
  match word with
  | [] => unit
  | h :: rest => product n (word_product n M rest) (M h)
  end.

Fixpoint sum_list {A : Type} (l : list A) (f : A -> Q) : Q :=
  match l with
  | [] => 0
  | x :: rest => f x + sum_list rest f
  end.

Lemma sum_list_app {A} (l m : list A) f : sum_list (l ++ m) f == sum_list l f + sum_list m f.
Proof. induction l as [|x l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_list_map {A B} (g : A -> B) (l : list A) f : sum_list (map g l) f = sum_list l (fun x => f (g x)).
Proof. induction l as [|x l IH]; simpl; [reflexivity|]. rewrite IH. reflexivity. Qed.

Lemma sum_list_ext {A} (l : list A) f g : (forall x, In x l -> f x == g x) -> sum_list l f == sum_list l g.
Proof.
  induction l as [|x l IH]; intros H; simpl; [reflexivity|].
  rewrite (H x) by (left; reflexivity). rewrite IH by (intros; apply H; right; assumption). reflexivity.
Qed.

Lemma sum_list_scale {A} (l : list A) c f : sum_list l (fun x => c * f x) == c * sum_list l f.
Proof. induction l as [|x l IH]; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_of_sum_list {A} n (l : list A) f :
  sum n (fun k => sum_list l (fun x => f k x)) == sum_list l (fun x => sum n (fun k => f k x)).
Proof.
  induction l as [|x l IH]; simpl; [apply sum_zero; reflexivity|]. rewrite sum_plus, IH. reflexivity.
Qed.

Lemma sum_list_flat_map {A} (g : nat -> list A) H f :
  sum_list (flat_map g (seq 0 H)) f == sum H (fun h => sum_list (g h) f).
Proof.
  induction H as [|H IH]; [reflexivity|].
  rewrite seq_S, flat_map_app, sum_list_app, IH. simpl. rewrite app_nil_r. reflexivity.
Qed.

Lemma sum_times_sum_le H x y :
  (forall h, (h < H)%nat -> 0 <= x h) -> (forall h, (h < H)%nat -> 0 <= y h) ->
  sum H (fun h => x h * y h) <= sum H x * sum H y.
Proof.
  intros Hx Hy. rewrite <- sum_scale_right. apply sum_le. intros h Hh.
  apply scale_le; [auto|]. apply (sum_term_le H h y Hh Hy).
Qed.

Lemma distinct_app {A} (l m : list A) :
  NoDup l -> NoDup m -> (forall x, In x l -> ~ In x m) -> NoDup (l ++ m).
Proof.
  intros Hl Hm D. induction Hl as [|x l Hx Hl IH]; simpl; [exact Hm|]. constructor.
  - rewrite in_app_iff. intros [H|H]; [exact (Hx H)|]. exact (D x (or_introl eq_refl) H).
  - apply IH. intros y Hy. apply D. right. exact Hy.
Qed.

Lemma distinct_cons_map (h : nat) l : NoDup l -> NoDup (map (fun w => h :: w) l).
Proof.
  induction 1 as [|w l Hw Hl IH]; simpl; constructor; [|exact IH].
  rewrite in_map_iff. intros [v [E Hv]]. injection E as ->. exact (Hw Hv).
Qed.

(** [words H t] holds each word of t letters below H, and each once. *)
Theorem words_are_all H t w : In w (words H t) <-> length w = t /\ Forall (fun h => (h < H)%nat) w.
Proof.
  revert w. induction t as [|t IH]; intros w; simpl.
  - split.
    + intros [<-|[]]. split; [reflexivity|constructor].
    + intros [Hl _]. destruct w; [left; reflexivity|discriminate].
  - rewrite in_flat_map. split.
    + intros [h [Hh Hw]]. apply in_map_iff in Hw. destruct Hw as [rest [<- Hrest]].
      apply IH in Hrest. destruct Hrest as [Hl Hall]. apply in_seq in Hh.
      split; [simpl; lia|]. constructor; [lia|exact Hall].
    + intros [Hl Hall]. destruct w as [|h rest]; [discriminate|].
      inversion Hall as [|x l Hh Hrest]; subst. exists h. split; [apply in_seq; lia|].
      apply in_map. apply IH. split; [simpl in Hl; lia|exact Hrest].
Qed.

Theorem words_are_distinct H t : NoDup (words H t).
Proof.
  induction t as [|t IH]; simpl; [constructor; [intros []|constructor]|].
  assert (D : forall l, NoDup l -> NoDup (flat_map (fun h => map (fun w => h :: w) (words H t)) l)).
  { induction l as [|h l IHl]; intros Hl; simpl; [constructor|].
    inversion Hl as [|x m Hin Hrest]; subst.
    apply distinct_app.
    - apply distinct_cons_map. exact IH.
    - apply IHl. exact Hrest.
    - intros w Hw Hw'. apply in_map_iff in Hw. destruct Hw as [x [<- _]].
      apply in_flat_map in Hw'. destruct Hw' as [g [Hg Hx]]. apply in_map_iff in Hx.
      destruct Hx as [y [E _]]. congruence. }
  apply D, seq_NoDup.
Qed.

Section Expansion.
Variables (n H : nat) (b : nat -> Q) (M : nat -> matrix).

(** (sum_h b_h M^(h))^t = sum over words of b_(h_1) ... b_(h_t) M^(h_t) ... M^(h_1). *)
Theorem word_expansion t i j :
  (i < n)%nat -> (j < n)%nat ->
  power n (mixture H b M) t i j == sum_list (words H t) (fun w => weight b w * word_product n M w i j).
Proof.
  intros Hi. revert j. induction t as [|t IH]; intros j Hj; [simpl; ring|].
  simpl. rewrite sum_list_flat_map. unfold product.
  transitivity (sum n (fun k => sum H (fun h => b h * (power n (mixture H b M) t i k * M h k j)))).
  { apply sum_ext. intros k Hk. unfold mixture at 2. rewrite <- sum_scale. apply sum_ext. intros; ring. }
  rewrite sum_swap. apply sum_ext. intros h Hh. rewrite sum_list_map. simpl.
  transitivity (sum n (fun k => sum_list (words H t)
                                  (fun w => b h * (weight b w * (word_product n M w i k * M h k j))))).
  { apply sum_ext. intros k Hk. rewrite IH by exact Hk. rewrite sum_list_scale.
    transitivity (b h * (M h k j * sum_list (words H t) (fun w => weight b w * word_product n M w i k))); [ring|].
    rewrite <- sum_list_scale. apply Qmult_comp; [reflexivity|]. apply sum_list_ext. intros; ring. }
  rewrite sum_of_sum_list. apply sum_list_ext. intros w Hw. rewrite !sum_scale. unfold product. ring.
Qed.

Hypothesis weights : forall h, (h < H)%nat -> 0 <= b h.
Hypothesis entries : forall h, (h < H)%nat -> forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= M h i j.

(** The mixture's signal is at least what its heads carry alone: sum_h b_h^t (M^(h))^t, for t >= 1. *)
Theorem within_head_floor t i j :
  (i < n)%nat -> (j < n)%nat ->
  sum H (fun h => power_of (b h) (S t) * power n (M h) (S t) i j) <= power n (mixture H b M) (S t) i j.
Proof.
  intros Hi. revert j.
  assert (Hmix : forall k l, (k < n)%nat -> (l < n)%nat -> 0 <= mixture H b M k l).
  { intros k l Hk Hl. apply sum_nonneg. intros h Hh. apply Qmult_le_0_compat; auto. }
  induction t as [|t IH]; intros j Hj.
  - rewrite power_1 by exact Hi. unfold mixture. apply sum_le. intros h Hh. rewrite power_1 by exact Hi. simpl.
    lra.
  - simpl power. fold (power n (mixture H b M) (S t)). unfold product at 2.
    eapply Qle_trans; [|apply sum_le; intros k Hk; apply Qmult_le_compat_r;
                        [apply (IH k Hk)|apply (Hmix k j Hk Hj)]].
    eapply Qle_trans; [|apply sum_le; intros k Hk; apply sum_times_sum_le; intros h Hh;
                        [apply Qmult_le_0_compat; [apply power_of_nonneg|apply power_nonneg]; auto
                        |apply Qmult_le_0_compat; auto]].
    rewrite sum_swap. apply sum_le. intros h Hh. simpl. unfold product. rewrite <- !sum_scale.
    apply sum_le. intros k Hk. lra.
Qed.
End Expansion.

(** The paper's two-step example: u -> v in head 1, v -> sink in head 2, self-loops everywhere, uniform weights.
    The signal from u after two steps is beta_1 beta_2 / 4, for all beta. *)
Definition two_step_head (h i j : nat) : Q :=
  if Nat.eq_dec i j then 1
  else match h, i, j with
       | O, 1%nat, O => 1
       | 1%nat, 2%nat, 1%nat => 1
       | _, _, _ => 0
       end.

Theorem two_step_example b :
  power 3 (mixture 2 b (fun h => diffusion_of_head 3 (two_step_head h))) 2 2%nat 0%nat == b 0%nat * b 1%nat / 4.
Proof.
  unfold diffusion_of_head, mixture. simpl. unfold product, two_step_head, unit. simpl. field.
Qed.
