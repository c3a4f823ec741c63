/** Kinds of values that visits have, each with the report that shows one value. Values are those of a dimension. */
const encoded = encodeURIComponent

export const aggregateKinds: Readonly<Record<string, (site: string, value: string) => string>> = {
  page: (site, value) => `/sites/${site}/pages/detail?path=${encoded(value)}`,
  event: (site, value) => `/sites/${site}/events/detail?name=${encoded(value)}`,
  source: (site, value) => `/sites/${site}/breakdown/page?filters=${encoded(JSON.stringify([['source', 'is', value]]))}`,
}
export const propertyPath = (site: string, key: string): string => `/sites/${site}/breakdown/${encoded(`property:${key}`)}`

/** Kinds beside those of records that can be listed. */
export const ownKinds = [...Object.keys(aggregateKinds), 'property', 'operation', 'documentation']
