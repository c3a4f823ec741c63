/** Cost of a hash of a password. Argon2id, 19 MiB, two passes: about 30 ms on one core. It is the package's default algorithm. */
export const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
