// Failures of a command, as sentences that the operator can act on.
import { Problem } from '../problem.mjs'

/** Words that the command line does not understand. Ends the process with 2. */
export class WrongUsage extends Problem {
  constructor(message, help = null) {
    super(message)
    this.help = help
  }
}

/** `Accept` of a request: refusals come with their codes and fields, for sentences that name arguments. */
export const acceptedTypes = 'application/json, application/problem+json'

/** The refusal in the body of an answer. */
export function refusalIn(origin, status, body) {
  return new Refused(origin, { status, reason: body?.error ?? 'no reason given', problems: body?.problems })
}

/**
 * Refusal by the instance: `{ status, reason, problems }` of its answer. `problems` are those of src/web/error-texts.ts; an
 * earlier version sends none.
 */
export class Refused extends Problem {
  constructor(origin, answer) {
    super(`${origin} refused (${answer.status}): ${answer.reason}`)
    this.origin = origin
    this.answer = answer
    this.status = answer.status
    this.reason = answer.reason
  }

  /** The refusal in words that name fields as the help of `command` names its arguments and options. */
  to(command) {
    return this.naming((field) => nameOf(field, command))
  }

  /** The refusal in words that name fields as `nameOfField` does. */
  naming(nameOfField) {
    const { problems = [], ...answer } = this.answer
    if (problems.length === 0) return this
    const sentences = problems.map(({ field, sentence }) =>
      sentence.replaceAll('{field}', field === null ? '' : nameOfField(String(field))),
    )
    return new Refused(this.origin, { ...answer, reason: sentences.join(' ') })
  }
}

/** Names of arguments and options that say what a field of the API says. They go before its own name. */
const namesOfFields = {
  acct: ['target', 'name'],
  canonical_email_hash: ['subject'],
  collection_limit: ['collections'],
  content: ['text'],
  display_name: ['spelling'],
  domain: ['subject'],
  effective_date: ['date', 'day'],
  email: ['subject'],
  events: ['event'],
  expires_in: ['days'],
  image: ['file'],
  inbox_url: ['address'],
  ip: ['subject'],
  keys: ['key'],
  name: ['rename'],
  picture: ['file'],
  private_comment: ['note'],
  public_comment: ['comment'],
  require_two_factor: ['two-factor'],
  rule_ids: ['rules'],
  status_ids: ['ids'],
  text: ['file'],
  url: ['address'],
  username: ['name', 'subject'],
}

/** A field as the help of a command names it; what no argument says keeps the name of the API, as settings do. */
function nameOf(field, { args, options }) {
  const plain = field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  for (const name of [...(namesOfFields[plain] ?? []), plain.replaceAll('_', '-')]) {
    if (Object.hasOwn(options, name)) return `--${name}`
    const found = args.find((one) => one.name.toLowerCase() === name)
    if (found !== undefined) return found.name
  }
  return field
}

/** The operator declined the question before an act. */
export class Declined extends Problem {
  constructor() {
    super('Nothing was changed.')
  }
}
