/** Names of examples in the OpenAPI file: values of one example have one name in the path, the query and the body. */

/** Summary of an example that has none of its own. */
export const unnamed = 'Example'

export const exampleName = (index: number): string => `example_${index + 1}`
