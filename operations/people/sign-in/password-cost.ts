/** Cost of a password hash with Argon2id, the default of the package: 19 MiB and two passes, about 30 ms on one core. */
export const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
