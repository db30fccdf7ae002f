"""`python3 -m tools.soak_board`"""

import sys

from tools.soak_board.run import main

sys.exit(main())
