const { PATIENCE: given = '1' } = process.env;

/**
 * How many times longer than usual the service waits for others. On a busy machine, the usual deadlines would end calls
 * that would have been answered. No stage on AWS sets the variable.
 */
export const patience = Number(given);
if (!(patience >= 1 && patience <= 100)) throw new Error(`PATIENCE is ${given}, and must be from 1 to 100`);

/** A deadline of the service: as long as it says on AWS, and longer where there is more patience. */
export const patient = (milliseconds: number): number => milliseconds * patience;
