/** The User-Agent of probes, from which the owner of a target can find their origin. */
export function userAgentOf(baseUrl: string): string {
  return `Footfall-Uptime/1.0 (+${baseUrl}/uptime/probes.json)`
}
