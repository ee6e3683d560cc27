def items(env):
    return []
