/** Messages of errors that the sources make: of faults and failures, with `{1}`, `{2}` where values stand in them. */
import ts from 'typescript'

/** Functions whose argument at this place is a message. */
const sayers: Readonly<Record<string, number>> = { fail: 1, failWith: 1, Failure: 1, fault: 2, Unclear: 0 }
const mostTexts = 64

/** Every text that an expression can be, values as `{1}`; none where it is no text that stands there. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isParenthesizedExpression(node)) return textsOf(node.expression)
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)]
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const right = textsOf(node.right)
    return textsOf(node.left).flatMap(left => right.map(each => left + each))
  }
  if (!ts.isTemplateExpression(node)) return []
  return node.templateSpans.reduce<string[]>(
    (made, { expression, literal }) => {
      const inside = textsOf(expression)
      const values = inside.length > 0 ? inside : ['{}']
      return made.flatMap(before => values.map(value => `${before}${value}${literal.text}`)).slice(0, mostTexts)
    },
    [node.head.text],
  )
}

const numbered = (text: string): string => {
  let count = 0
  return text.replace(/\{\}/g, () => `{${++count}}`)
}

/** By message, the file that makes it. */
export function messagesIn(sources: readonly ts.SourceFile[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const source of sources) {
    const add = (node: ts.Expression) => {
      for (const text of textsOf(node)) if (text.includes(' ')) found.set(numbered(text), source.fileName)
    }
    const visit = (node: ts.Node): void => {
      if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && ts.isIdentifier(node.expression)) {
        const at = Object.hasOwn(sayers, node.expression.text) ? sayers[node.expression.text] : undefined
        const message = at === undefined ? undefined : node.arguments?.[at]
        if (message) add(message)
      }
      if (ts.isPropertyAssignment(node) && /^(message|error|remedy)$/.test(node.name.getText(source))) add(node.initializer)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return found
}
