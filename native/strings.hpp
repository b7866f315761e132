// Strings of Python as bytes.
#pragma once

#include <pybind11/pybind11.h>

#include <string_view>

namespace rainbow {

// A text's UTF-8, for as long as the text and `keeper` live; lone surrogates, which have none, are written as their
// three bytes.
inline std::string_view utf8(const pybind11::handle& text, pybind11::object& keeper) {
  if (!PyUnicode_Check(text.ptr())) throw pybind11::type_error("a text is not a string");
  Py_ssize_t size = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) return {bytes, static_cast<std::size_t>(size)};
  PyErr_Clear();
  keeper = pybind11::reinterpret_steal<pybind11::object>(
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogatepass"));
  if (!keeper) throw pybind11::error_already_set();
  return {PyBytes_AS_STRING(keeper.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(keeper.ptr()))};
}

// The string whose bytes utf8() gave.
inline pybind11::object text_of(std::string_view bytes) {
  auto text = pybind11::reinterpret_steal<pybind11::object>(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogatepass"));
  if (!text) throw pybind11::error_already_set();
  return text;
}

}  // namespace rainbow
