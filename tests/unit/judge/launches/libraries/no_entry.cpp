// SPDX-License-Identifier: Apache-2.0
extern "C" int another_entry() {
  return 0;
}
