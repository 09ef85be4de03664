// Several heads over the same positions, with the weights that mix them (design §1).
#pragma once

#include <crosshead/graphs/head_dag.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace crosshead {

/// Non-negative rationals that sum to exactly 1.
class ConvexWeights {
  public:
    /// Throws InputError unless every weight is ≥ 0 and the sum is exactly 1; names the sum.
    ConvexWeights(std::vector<Rational> weights, const std::string& place);
    /// 1/count each.
    static ConvexWeights uniform(std::size_t count);
    /// A sum within `normalisation_tolerance` of 1 is divided out exactly (was_normalised() then says so);
    /// any other sum is refused as in the constructor.
    static ConvexWeights nearly(std::vector<Rational> weights, const std::string& place);
    /// Any non-negative scores with a positive sum, divided by it exactly (norms, not given weights).
    static ConvexWeights from_scores(std::vector<Rational> scores, const std::string& place);

    std::size_t size() const { return weights_.size(); }
    const Rational& operator[](std::size_t head) const { return weights_[head]; }
    const std::vector<Rational>& values() const { return weights_; }
    /// The sum of the given weights before they were normalised; 1 where nothing was done.
    const Rational& given_sum() const { return given_sum_; }
    bool was_normalised() const { return given_sum_ != 1; }

    /// How far a given sum may lie from 1 and still be normalised (design §4: 1e-9).
    static const Rational& normalisation_tolerance();

  private:
    std::vector<Rational> weights_;
    Rational given_sum_ = 1;
};

/// H ≥ 1 heads on the same n nodes; walk weights α and diffusion weights β. Valid at construction.
class HeadSystem {
  public:
    /// `names`: one per node, or empty for 0..n-1. Throws InputError for heads of different sizes, a wrong
    /// number of weights or names, or two equal names.
    HeadSystem(std::vector<HeadDag> heads, ConvexWeights walk_weights, ConvexWeights diffusion_weights,
               std::vector<std::string> names = {});
    /// α = β = 1/H.
    explicit HeadSystem(std::vector<HeadDag> heads);

    int nodes() const { return heads_.front().nodes(); }
    Node sink() const { return nodes() - 1; }
    std::size_t head_count() const { return heads_.size(); }
    const std::vector<HeadDag>& heads() const { return heads_; }
    const HeadDag& head(std::size_t h) const { return heads_[h]; }
    const ConvexWeights& walk_weights() const { return walk_weights_; }            // α
    const ConvexWeights& diffusion_weights() const { return diffusion_weights_; }  // β
    /// The name of a node: as given, else its number.
    std::string name(Node node) const;
    const std::vector<std::string>& names() const { return names_; }

    /// The same heads under other weights.
    HeadSystem with_weights(ConvexWeights walk_weights, ConvexWeights diffusion_weights) const;
    /// Head h alone, as a system of one head.
    HeadSystem single_head(std::size_t h) const;

  private:
    std::vector<HeadDag> heads_;
    ConvexWeights walk_weights_, diffusion_weights_;
    std::vector<std::string> names_;
};

}  // namespace crosshead
