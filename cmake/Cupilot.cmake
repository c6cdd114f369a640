# SPDX-License-Identifier: Apache-2.0
# cupilot_tune(target ...) comes here
