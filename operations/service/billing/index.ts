/** The part of this area that others may use. */
export { customerOf } from './customers.ts'
export { invoice_changed } from './hooks.ts'
export { shareOf } from './money.ts'
export { sells, stripe } from './stripe.ts'
