"""Any two players of the sowing games against each other, many times over: `make arena`."""
