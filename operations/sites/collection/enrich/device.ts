import type { Device } from '../../../../storage/engine/vocabulary/devices.ts'
import type { Agent } from './user-agent.ts'

/** Viewport widths from which a device counts as the larger one: the usual breakpoints of style sheets. */
const TABLET = 576
const DESKTOP = 992

/** Returns the device of a hit: from its user agent; otherwise, from the width of its viewport; otherwise ''. */
export function deviceOf(agent: Agent, width: number | null): Device | '' {
  return agent.device !== '' || width === null ? agent.device : deviceOfWidth(width)
}

/** Returns the device of a viewport or screen of that width, in CSS pixels. */
export function deviceOfWidth(width: number): Device {
  if (width < TABLET) return 'mobile'
  return width < DESKTOP ? 'tablet' : 'desktop'
}
