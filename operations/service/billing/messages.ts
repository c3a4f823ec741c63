/** What this area says to people. */
import { messages } from '../../../runtime/texts/message.ts'

export const m = messages('billing', {
  plan_must_be: 'plan must be one that is sold: {plans}.',
  has_this_plan: 'The workspace has this plan already.',
  never_subscribed: 'This workspace has never subscribed: choose a plan first.',
  sells_nothing: 'This installation sells nothing: STRIPE_SECRET_KEY is not set.',
  no_answer: 'The payment service gave no answer. Try again in a minute.',
})
