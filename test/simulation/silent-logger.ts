/** Lets the service's own logger say nothing. Import this before the service's code. */
process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
