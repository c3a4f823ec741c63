import type { Agent, Device } from './user-agent.ts'

/** Viewport widths from which a device is counted as the larger one: the breakpoints most style sheets use. */
const TABLET = 576
const DESKTOP = 992

/** The device a hit came from: what its user agent says, else what the width of its viewport suggests, else ''. */
export function deviceOf(agent: Agent, width: number | null): Device | '' {
  if (agent.device !== '' || width === null) return agent.device
  if (width < TABLET) return 'mobile'
  return width < DESKTOP ? 'tablet' : 'desktop'
}
