// Read by clang-tidy before everything else in the sources of learning/. Clang instantiates the members of a constexpr vector where
// it meets them, in libtorch's headers those of a vector of a class that is defined further down. With a vector that is not
// constexpr, as it was before C++20, it waits for their use, as GCC does.
#pragma once

#include <string>

#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
// Declared as constexpr by what <string> includes.
#define __fill_a1 __fill_a1_of_bits
#include <vector>
#undef __fill_a1
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")
