import type { Ctx } from '../../../ports/ctx'
import type { Installation, SetUpState } from '../../../ports/installation'

/** A request of set-up, with what its handlers need beside the ports of a server that runs. */
export interface SetUpPorts {
  readonly installation: Installation
  /** The secret that opens set-up. */
  readonly setupSecret: string
  /** Ports of the server that set-up makes, with the address that was chosen. */
  readonly server: () => Ctx
}

/** Set-up of one request, once its browser proved that it holds it. */
export interface SetUp extends SetUpPorts {
  readonly state: SetUpState
  /** Hash of the secret of the browser. */
  readonly holder: string
}
