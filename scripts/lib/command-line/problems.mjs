// Failures of a command, as sentences that the operator can act on.
import { Problem } from '../problem.mjs'

/** Words that the command line does not understand. Ends the process with 2. */
export class WrongUsage extends Problem {
  constructor(message, help = null) {
    super(message)
    this.help = help
  }
}

/** Refusal by the instance, with the status of its answer. */
export class Refused extends Problem {
  constructor(origin, { status, reason }) {
    super(`${origin} refused (${status}): ${reason}`)
    this.status = status
    this.reason = reason
  }
}

/** The operator declined the question before an act. */
export class Declined extends Problem {
  constructor() {
    super('Nothing was changed.')
  }
}
