// Included once for each instruction set by dense_kernels.cpp, inside a namespace that defines Lanes<Real>;
// CROSSHEAD_CODE and CROSSHEAD_INLINE carry the function attributes of that instruction set. (A template over
// the instruction set would not do: the attribute has to stand on the function that holds the loop.)
// A panel row is two vectors: w = 2 · Lanes<Real>::count.

/// Rows [begin, end) of P neighbouring panels into their accumulators. rows[p] points to row 0 of panel p.
template <typename Real, int P>
CROSSHEAD_INLINE void accumulate_rows(const Real* const* rows, const Real* x, int begin, int end,
                                      typename Lanes<Real>::Vector (*sums)[2]) {
    using L = Lanes<Real>;
    for (std::ptrdiff_t i = begin; i < end; ++i) {
        const auto factor = L::broadcast(x + i);
        CROSSHEAD_UNROLL
        for (int p = 0; p < P; ++p) {
            const Real* row = rows[p] + i * (2 * L::count);
            sums[p][0] = L::multiply_add(factor, L::load(row), sums[p][0]);
            sums[p][1] = L::multiply_add(factor, L::load(row + L::count), sums[p][1]);
        }
    }
}

template <typename Real, int P>
CROSSHEAD_CODE void step_panels(const Real* const* panels, const Real* x, int first, int nodes, Real* out) {
    using L = Lanes<Real>;
    using Vector = typename L::Vector;
    constexpr int width = 2 * L::count;
    // panels[p] starts at row first + p·w; rows[p] is where its row 0 would be.
    const Real* rows[P];
    for (int p = 0; p < P; ++p) rows[p] = panels[p] - static_cast<std::ptrdiff_t>(first + p * width) * width;
    int begin = first;
    while (begin < nodes) {
        const int end = std::min(nodes, (begin / segment_rows + 1) * segment_rows);
        Vector sums[P][2];
        CROSSHEAD_UNROLL
        for (int p = 0; p < P; ++p) sums[p][0] = sums[p][1] = L::zero();
        // On the diagonal the panels join one by one.
        if constexpr (P >= 2) {
            const int stop = std::clamp(first + width, begin, end);
            accumulate_rows<Real, 1>(rows, x, begin, stop, sums);
            begin = stop;
        }
        if constexpr (P >= 3) {
            const int stop = std::clamp(first + 2 * width, begin, end);
            accumulate_rows<Real, 2>(rows, x, begin, stop, sums);
            begin = stop;
        }
        if constexpr (P >= 4) {
            const int stop = std::clamp(first + 3 * width, begin, end);
            accumulate_rows<Real, 3>(rows, x, begin, stop, sums);
            begin = stop;
        }
        accumulate_rows<Real, P>(rows, x, begin, end, sums);
        begin = end;
        CROSSHEAD_UNROLL
        for (int p = 0; p < P; ++p) {
            Real* o = out + p * width;
            L::store(o, L::add(L::load_any(o), sums[p][0]));
            L::store(o + L::count, L::add(L::load_any(o + L::count), sums[p][1]));
        }
    }
}

template <typename Real>
CROSSHEAD_CODE void step(const Real* const* panels, int count, const Real* x, int first, int nodes,
                         Real* out) {
    switch (count) {
        case 1:
            return step_panels<Real, 1>(panels, x, first, nodes, out);
        case 2:
            return step_panels<Real, 2>(panels, x, first, nodes, out);
        case 3:
            return step_panels<Real, 3>(panels, x, first, nodes, out);
        default:
            return step_panels<Real, 4>(panels, x, first, nodes, out);
    }
}

/// One register tile: T times × one panel.
template <typename Real, int T>
CROSSHEAD_CODE void tile(const Real* x, std::size_t stride, const Real* m, int depth, Real* c, bool add) {
    using L = Lanes<Real>;
    using Vector = typename L::Vector;
    Vector sums[T][2];
    CROSSHEAD_UNROLL
    for (int t = 0; t < T; ++t) sums[t][0] = sums[t][1] = L::zero();
    for (int k = 0; k < depth; ++k) {
        const Vector low = L::load(m), high = L::load(m + L::count);
        m += 2 * L::count;
        CROSSHEAD_UNROLL
        for (int t = 0; t < T; ++t) {
            const Vector factor = L::broadcast(x + static_cast<std::size_t>(t) * stride + k);
            sums[t][0] = L::multiply_add(factor, low, sums[t][0]);
            sums[t][1] = L::multiply_add(factor, high, sums[t][1]);
        }
    }
    CROSSHEAD_UNROLL
    for (int t = 0; t < T; ++t) {
        Real* row = c + static_cast<std::size_t>(t) * stride;
        if (add) {
            sums[t][0] = L::add(L::load_any(row), sums[t][0]);
            sums[t][1] = L::add(L::load_any(row + L::count), sums[t][1]);
        }
        L::store(row, sums[t][0]);
        L::store(row + L::count, sums[t][1]);
    }
}

/// The high half of a panel depends on the high half alone, so its recurrence runs ahead of the low one's;
/// two partial sums each shorten the chain from one step to the next.
template <typename Real>
CROSSHEAD_INLINE void recur(const Real* diagonal, Real* c, std::size_t stride, int times) {
    using L = Lanes<Real>;
    using Vector = typename L::Vector;
    constexpr int half = L::count, width = 2 * half;
    for (int t = 0; t < times; ++t, c += stride) {
        const Real* before = c - stride;
        Vector high = L::load_any(c + half), high_odd = L::zero();
        Vector low = L::load_any(c), low_odd = L::zero();
        CROSSHEAD_UNROLL
        for (int k = half; k < width; k += 2) {
            const Vector even = L::broadcast(before + k), odd = L::broadcast(before + k + 1);
            const Real* row = diagonal + k * width;
            high = L::multiply_add(even, L::load(row + half), high);
            high_odd = L::multiply_add(odd, L::load(row + width + half), high_odd);
            low = L::multiply_add(even, L::load(row), low);
            low = L::multiply_add(odd, L::load(row + width), low);
        }
        L::store(c + half, L::add(high, high_odd));
        CROSSHEAD_UNROLL
        for (int k = 0; k < half; k += 2) {
            const Real* row = diagonal + k * width;
            low = L::multiply_add(L::broadcast(before + k), L::load(row), low);
            low_odd = L::multiply_add(L::broadcast(before + k + 1), L::load(row + width), low_odd);
        }
        L::store(c, L::add(low, low_odd));
    }
}

/// A tile and then, where the sums are complete, the recurrence over its times. That recurrence is a chain of
/// latencies: right after its tile it overlaps with the independent arithmetic of the next one.
template <typename Real, int T>
CROSSHEAD_INLINE void tile_and_recur(const Contribution<Real>& of, int t) {
    const std::size_t at = static_cast<std::size_t>(t) * of.stride;
    tile<Real, T>(of.x + at, of.stride, of.m, of.depth, of.c + at, of.add);
    if (of.diagonal != nullptr) recur<Real>(of.diagonal, of.c + at, of.stride, T);
}

template <typename Real>
CROSSHEAD_CODE void contribute(const Contribution<Real>& of, int times) {
    int t = 0;
    for (; t + tile_times <= times; t += tile_times) tile_and_recur<Real, tile_times>(of, t);
    switch (times - t) {
        case 1:
            return tile_and_recur<Real, 1>(of, t);
        case 2:
            return tile_and_recur<Real, 2>(of, t);
        case 3:
            return tile_and_recur<Real, 3>(of, t);
        case 4:
            return tile_and_recur<Real, 4>(of, t);
        case 5:
            return tile_and_recur<Real, 5>(of, t);
        default:
            return;
    }
}

template <typename Real>
CROSSHEAD_CODE void add_scaled(const Real* term, Real weight, Real* sum, std::size_t count) {
    using L = Lanes<Real>;
    const auto factor = L::broadcast(&weight);
    for (std::size_t e = 0; e < count; e += L::count)
        L::store(sum + e, L::multiply_add(factor, L::load(term + e), L::load(sum + e)));
}

template <typename Real>
constexpr Kernels<Real> table = {step<Real>, contribute<Real>, add_scaled<Real>};
