/** Exports of this area for other areas. */
export { factorsChanged } from './factors.ts'
export { endSession, endSessions, endSessionsWith, notePasskey, startSession } from './start.ts'
export { browserOf } from './browser.ts'
export { signing_out } from './hooks.ts'
export { sessionShown } from './session-shown.ts'
