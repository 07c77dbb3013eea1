print("netcond")
