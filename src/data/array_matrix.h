// Dense arrays and compressed sparse rows (CSR) as a matrix: what features and labels have in common.
#pragma once

#include <string>
#include <string_view>

#include "data/npy.h"
#include "data/npz.h"
#include "mlpac/feature_data.h"

namespace mlpac {

/// Rows of a two-dimensional array; with one dimension, rows of one column. NaN is kept, zeros are left out.
/// `expected` says in messages which values are allowed; infinite ones and those beyond float32 never are.
FeatureMatrix dense_matrix(const NpyArray& array, std::string_view expected);

/// Rows stored as `data`, `indices`, `indptr` and `shape`, each name after `prefix`, as SciPy does. Every position is
/// checked; unsorted rows are sorted; a column given twice in a row is an Error.
FeatureMatrix csr_matrix(const NpzFile& file, const std::string& prefix, std::string_view expected);

}  // namespace mlpac
