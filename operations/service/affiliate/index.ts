/** Public functions of the affiliate program, for the operator's command that decides and pays. */
export { affiliates, decide, decisions, type Decision, findAffiliate, type KnownAffiliate } from './decide.ts'
export { type Outcome, payOut, type Paying } from './pay.ts'
