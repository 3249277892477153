import { Network } from './network'

/** The one network of a run. */
export const network = new Network()
