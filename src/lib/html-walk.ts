import { Parser } from 'htmlparser2'
import { FormulaReader } from './html-formula'
import { ruleFor } from './html-rules'
import { withoutControls } from './text/controls'

const MAX_INPUT_CHARACTERS = 256 * 1024
// Only an attack nests deeper, and every further level makes each tag slower to parse.
const MAX_OPEN_ELEMENTS = 512

export type Attributes = Readonly<Record<string, string>>

export interface HtmlVisitor {
  open(element: string, attributes: Attributes): void
  /** Closes the element opened last. */
  close(): void
  /** Decoded text without control characters. */
  text(text: string): void
}

/**
 * Reports the elements and text of tolerant HTML in order, without comments and elements that must never be
 * shown (scripts, styles, frames, foreign content). A formula is reported as its text.
 *
 * Every `close` has its `open`; elements still open at the end are not closed. Input beyond 256 Ki characters
 * or 512 open elements is not read.
 */
export function walkHtml(html: string, visitor: HtmlVisitor): void {
  let openElements = 0
  let droppedElements = 0
  let formula: FormulaReader | null = null
  const parser = new Parser({
    onopentag(element, attributes) {
      openElements++
      const isTooDeep = openElements > MAX_OPEN_ELEMENTS
      if (isTooDeep) parser.pause()
      if (isTooDeep || droppedElements > 0 || ruleFor(element) === 'dropped') {
        if (element === 'math' && droppedElements === 0) formula = new FormulaReader(attributes)
        else formula?.open(element, attributes)
        droppedElements++
      } else visitor.open(element, attributes)
    },
    onclosetag() {
      openElements--
      if (droppedElements === 0) visitor.close()
      else if (--droppedElements > 0) formula?.close()
      else if (formula !== null) {
        visitor.text(formula.finish())
        formula = null
      }
    },
    ontext(text) {
      if (droppedElements === 0) visitor.text(withoutControls(text))
      else formula?.write(withoutControls(text))
    },
  })
  parser.end(html.slice(0, MAX_INPUT_CHARACTERS).toWellFormed())
}
