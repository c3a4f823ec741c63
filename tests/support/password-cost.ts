/** The cost of a password hash in the build of the tests: guesses and sign-ins are a large part of some of them. */
import type { cost as costOfService } from '../../operations/people/sign-in/password-cost.ts'

export const cost: typeof costOfService = { memoryCost: 256, timeCost: 1, parallelism: 1 }
