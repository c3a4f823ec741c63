/** Whether values match schemas. Each schema is compiled at its first use. */
import type { TSchema } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'
import { Errors } from '@sinclair/typebox/errors'

const compiled = new WeakMap<TSchema, TypeCheck<TSchema>>()
/** The compiled check of a schema. */
export function compiledCheck(schema: TSchema): TypeCheck<TSchema> {
  let known = compiled.get(schema)
  if (!known) compiled.set(schema, (known = TypeCompiler.Compile(schema)))
  return known
}

export function matches(schema: TSchema, value: unknown): boolean {
  return compiledCheck(schema).Check(value)
}

/** Like `matches`, without compiling the schema, which takes a hundred times as long as looking at one value. */
export function matchesOnce(schema: TSchema, value: unknown): boolean {
  return Errors(schema, value).First() === undefined
}
