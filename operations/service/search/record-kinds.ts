/** Dimensions whose values the search finds, each with the address of the report about one value. */
const encoded = encodeURIComponent

export const aggregateKinds: Readonly<Record<string, (site: string, value: string) => string>> = {
  page: (site, value) => `/sites/${site}/pages/detail?path=${encoded(value)}`,
  event: (site, value) => `/sites/${site}/events/detail?name=${encoded(value)}`,
  source: (site, value) => `/sites/${site}/breakdown/page?filters=${encoded(JSON.stringify([['source', 'is', value]]))}`,
}
export const propertyPath = (site: string, key: string): string => `/sites/${site}/breakdown/${encoded(`property:${key}`)}`

/** Kinds in addition to the kinds of listable records. */
export const ownKinds = [...Object.keys(aggregateKinds), 'property', 'operation', 'documentation']
