/** What other areas may use of this one. */
export { endSession, endSessions, endSessionsWith, type Started, type Starting, startSession } from './start.ts'
export { browserOf } from './browser.ts'
export { sessionShown } from './shown.ts'
