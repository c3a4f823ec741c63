/** Networks of visitors by country. */
const byCountry: Readonly<Record<string, readonly (readonly [network: string, kind: string])[]>> = {
  DE: [
    ['Deutsche Telekom', 'isp'],
    ['Vodafone Germany', 'isp'],
    ['Telefónica Germany', 'isp'],
    ['1&1 Versatel', 'isp'],
    ['DFN (German universities)', 'education'],
    ['Hetzner', 'hosting'],
  ],
  AT: [
    ['A1 Telekom Austria', 'isp'],
    ['Magenta Austria', 'isp'],
  ],
  CH: [
    ['Swisscom', 'isp'],
    ['Sunrise', 'isp'],
    ['SWITCH (Swiss universities)', 'education'],
  ],
  US: [
    ['Comcast', 'isp'],
    ['Charter', 'isp'],
    ['T-Mobile US', 'mobile'],
    ['Verizon Wireless', 'mobile'],
    ['AT&T', 'isp'],
    ['Amazon AWS', 'hosting'],
    ['Stanford University', 'education'],
  ],
  GB: [
    ['BT', 'isp'],
    ['Virgin Media', 'isp'],
    ['Sky UK', 'isp'],
    ['EE', 'mobile'],
    ['JANET (UK universities)', 'education'],
  ],
  FR: [
    ['Orange', 'isp'],
    ['Free', 'isp'],
    ['SFR', 'isp'],
    ['OVH', 'hosting'],
  ],
  ES: [
    ['Telefónica Spain', 'isp'],
    ['Orange España', 'isp'],
  ],
  IT: [
    ['TIM', 'isp'],
    ['Fastweb', 'isp'],
  ],
  NL: [
    ['KPN', 'isp'],
    ['VodafoneZiggo', 'isp'],
    ['SURF (Dutch universities)', 'education'],
  ],
  PL: [
    ['Orange Polska', 'isp'],
    ['P4 (Play)', 'mobile'],
  ],
  CA: [
    ['Bell Canada', 'isp'],
    ['Rogers', 'isp'],
    ['TELUS', 'isp'],
  ],
  IN: [
    ['Jio', 'mobile'],
    ['Airtel', 'mobile'],
  ],
  JP: [
    ['NTT OCN', 'isp'],
    ['KDDI', 'isp'],
  ],
  AU: [
    ['Telstra', 'isp'],
    ['TPG', 'isp'],
  ],
  BR: [
    ['Vivo', 'isp'],
    ['Claro Brasil', 'isp'],
  ],
}

/** The network of a visitor, which is the same for the same key; more often an earlier one of the list. */
export function networkIn(key: string, country: string): { readonly network: string; readonly network_kind: string } {
  const networks = byCountry[country] ?? []
  let sum = 7
  for (const letter of key) sum = (sum * 31 + letter.charCodeAt(0)) % 10_007
  const [network, network_kind] = networks[Math.floor((sum / 10_007) ** 2 * (networks.length + 1))] ?? ['', '']
  return { network, network_kind }
}
