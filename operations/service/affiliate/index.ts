/** The part of this area that others may use: the command with which the operator decides and pays. */
export { affiliates, decide, decisions, type Decision, findAffiliate, type KnownAffiliate } from './decide.ts'
export { type Outcome, payOut, type Paying } from './pay.ts'
