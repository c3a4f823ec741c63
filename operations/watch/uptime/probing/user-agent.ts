/** What probes call themselves, so that who is probed can find out by whom. */
export function userAgentOf(baseUrl: string): string {
  return `Footfall-Uptime/1.0 (+${baseUrl}/uptime/probes.json)`
}
