import { isbot } from 'isbot'
import { isKnownProgram, withoutPeople } from './corrections.ts'
import { perUserAgent } from './per-user-agent.ts'

/** Whether a hit is automated, also if it has no user agent: every browser sends one. */
export const isBot = perUserAgent(userAgent => {
  if (userAgent.trim() === '' || isKnownProgram(userAgent)) return true
  if (!isbot(userAgent)) return false
  const rest = withoutPeople(userAgent)
  return !/^[~\s]*$/.test(rest) && isbot(rest)
})
