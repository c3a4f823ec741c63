/** Kinds of networks, with their English labels. Every list of kinds is made from this table. */
export const NETWORK_KINDS = Object.freeze({
  hosting: 'Hosting',
  vpn: 'VPN',
  isp: 'Internet provider',
  mobile: 'Mobile network',
  education: 'Education',
})

export type NetworkKind = keyof typeof NETWORK_KINDS
export const networkKinds = Object.keys(NETWORK_KINDS) as readonly NetworkKind[] // a literal's own keys
export const isNetworkKind = (text: string): text is NetworkKind => Object.hasOwn(NETWORK_KINDS, text)
