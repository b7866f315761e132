// What each kernel adds to the module, in the file of its name.
#pragma once

#include <pybind11/pybind11.h>

namespace rainbow {

void bind_longest_subsequence(pybind11::module_& module);
void bind_meteor(pybind11::module_& module);

}  // namespace rainbow
