/** Public functions of the affiliate program, for the operator's command that decides and pays. */
export { affiliates, decide, decisions, type Decision, findAffiliate } from './decide.ts'
export { type Outcome, payOut } from './pay.ts'
