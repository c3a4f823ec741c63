import type { Device } from '../../../../storage/engine/vocabulary/devices.ts'
import type { Agent } from './user-agent.ts'

/** Viewport widths from which a device counts as the larger one: the usual breakpoints of style sheets. */
const TABLET = 576
const DESKTOP = 992

/** Returns the device of a hit: from its user agent; otherwise, from the width of its viewport; otherwise ''. */
export function deviceOf(agent: Agent, width: number | null): Device | '' {
  if (agent.device !== '' || width === null) return agent.device
  if (width < TABLET) return 'mobile'
  return width < DESKTOP ? 'tablet' : 'desktop'
}
