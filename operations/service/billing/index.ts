/** Public functions of billing for other areas. */
export { invoice_changed } from './hooks.ts'
export { shareOf } from './money.ts'
export { sellsPlans, stripe } from './stripe.ts'
