/**
 * Ranks operations for a request in natural language. A word counts more the fewer operations have it; a complete phrase that
 * an area declares counts most. A question is never answered with an operation that deletes.
 */
import type { Effect } from '../../runtime/table/access.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { synonymsOf } from './synonyms.ts'

/** The operations that may fulfil a request, best first. */
export function rank(operations: readonly NamedOperation[], query: string): NamedOperation[] {
  const texts = indexed(operations)
  const words = wordsOf(query)
  const wanted = words.filter(word => !common.has(word)).map(stem)
  if (wanted.length === 0) return []
  const effects = effectsAsked(query)
  return operations
    .map(operation => ({ operation, score: scoreOf(operation, texts, wanted) * fit(operation.effect, effects) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => Number(isUnasked(a.operation, effects)) - Number(isUnasked(b.operation, effects)) || b.score - a.score)
    .map(({ operation }) => operation)
}

/** An operation that deletes ranks below all reads, unless the request asks to delete. */
const isUnasked = ({ effect }: NamedOperation, effects: ReadonlySet<Effect>): boolean => effect === 'delete' && !effects.has('delete')

function fit(effect: Effect, effects: ReadonlySet<Effect>): number {
  if (effects.has(effect)) return effect === 'read' ? 1.1 : 1.6
  return effects.size === 0 && effect === 'read' ? 1.2 : 0.7
}

const verbs: ReadonlyArray<readonly [Effect, RegExp]> = [
  ['delete', /\b(delet\w*|remov\w*|erase|revoke|destroy|get rid|kick|take away|withdraw|cancel|leave)\b/],
  [
    'create',
    /\b(create|add|new|make|build|generate|define|save|write|notify|warn|tell me|let me know|alert (me|when|if)|track|count|mark|connect|send|watch|monitor)\b/,
  ],
  [
    'update',
    /\b(change|update|edit|rename|hide|merge|combine|mute|snooze|silence|pause|resume|stop|start|set|turn|switch|disable|enable|make|promote|demote|move)\b/,
  ],
  ['read', /\b(list|show|get|which|what|how|who|when|where|why|is|are|was|did|my)\b/],
]

/** Whether the request is a question that needs an answer. `how do I …` and `can you …` ask for an action instead. */
const question =
  /^(which|what|who|whose|when|where|why|is|are|am|was|were|did|does|has|have|do (i|we|people|visitors|users)|how (many|much|often|long|far|fast|well|good|is|are|was|were|did|does|has|do (people|visitors|users|they)))\b/

function effectsAsked(query: string): ReadonlySet<Effect> {
  const text = query
    .trim()
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\bset(ting)?[ -]?up\b/, 'create')
  if (question.test(text)) return new Set(['read'])
  return new Set(verbs.filter(([, words]) => words.test(text)).map(([effect]) => effect))
}

interface Text {
  /** The greatest weight of each stem. */
  readonly weights: ReadonlyMap<string, number>
  /** Stems of its id: `sites_delete` deletes a site. */
  readonly name: readonly string[]
  /** Stems of each phrase that its area declares (`asked`). */
  readonly phrases: readonly (readonly string[])[]
}
interface Index {
  readonly texts: ReadonlyMap<string, Text>
  /** The number of operations with each stem. */
  readonly spread: ReadonlyMap<string, number>
}

function scoreOf(operation: NamedOperation, { texts, spread }: Index, wanted: readonly string[]): number {
  const text = texts.get(operation.id)
  if (!text) return 0
  const rarity = (word: string) => Math.log(1 + texts.size / (spread.get(word) ?? texts.size))
  let score = 0
  for (const word of new Set(wanted)) {
    let best = 0
    for (const other of synonyms.get(word) ?? [word]) {
      const weight = text.weights.get(other) ?? 0
      best = Math.max(best, weight * rarity(other) * (other === word ? 1 : 0.6))
    }
    score += best
  }
  const there = new Set(wanted)
  const phrase = Math.max(0, ...text.phrases.filter(stems => stems.every(each => there.has(each))).map(stems => sum(stems.map(rarity))))
  const withSynonyms = new Set(wanted.flatMap(word => [word, ...(synonyms.get(word) ?? [])]))
  const isNamed = operation.effect !== 'read' && text.name.every(word => withSynonyms.has(word))
  return score + 3 * phrase + (isNamed ? 3 * sum(text.name.map(rarity)) : 0)
}

const indexes = new WeakMap<readonly NamedOperation[], Index>()

function indexed(operations: readonly NamedOperation[]): Index {
  let known = indexes.get(operations)
  if (!known) {
    const texts = new Map(operations.map(operation => [operation.id, textOf(operation)]))
    const spread = new Map<string, number>()
    for (const { weights } of texts.values()) for (const word of weights.keys()) spread.set(word, (spread.get(word) ?? 0) + 1)
    indexes.set(operations, (known = { texts, spread }))
  }
  return known
}

/** Weights: names and declared phrases say most about an operation, names of arguments least. */
function textOf({ id, summary, description, area, asked, input, pathInput }: NamedOperation): Text {
  const weights = new Map<string, number>()
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text).map(stem)) if (!common.has(word)) weights.set(word, Math.max(weights.get(word) ?? 0, weight))
  }
  add(Object.keys({ ...pathInput, ...input.properties }).join(' '), 0.3)
  add(description ?? '', 0.8)
  add(area, 1)
  add(asked.join(' '), 2)
  add(summary, 2)
  add(id, 2.5)
  const phrases = asked.map(phrase =>
    wordsOf(phrase)
      .filter(word => !common.has(word))
      .map(stem),
  )
  return { weights, name: wordsOf(id).map(stem), phrases: phrases.filter(stems => stems.length > 0) }
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('a/b', 'ab')
    .replaceAll('_', ' ')
    .replace(/\bset(ting)?[ -]?up\b/g, 'create')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** Words that say nothing about the request. */
const common: ReadonlySet<string> = new Set(
  'a an the of to in on for my our your we i me us it its is are was were be been do does did have has had with by and or at as this that these those there can could please you give show list get want see any some per how what which much many'.split(
    ' ',
  ),
)

/** A word without its ending: `visited`, `visits` and `visiting` are `visit`. */
function stem(word: string): string {
  if (word.length <= 3) return word
  const short = word
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1')
  const root = short.replace(/(ing|ed)$/, '')
  return root.length >= 4 && root !== short ? root.replace(/(.)\1$/, '$1') : short.replace(/e$/, '')
}

const synonyms = synonymsOf(stem)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
