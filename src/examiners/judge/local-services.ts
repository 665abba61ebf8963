import { foreignEmergencyNumbers, servicesIn, type Region } from '../../domain/region';

/** What a model that marks has to know of the services where the patient is. */
export function localServices(region: Region): string {
  const { country, emergencyNumbers, emergencyDepartment, crisisLine, poisonLine, healthLine, primaryCare } =
    servicesIn(region);
  const where = region === 'EU' ? 'the European Union' : country;
  const [foreign = ''] = foreignEmergencyNumbers(region);
  return `The patient is in ${where}. Emergency services are reached there at ${emergencyNumbers.join(' or ')}; a number that does not reach them there, such as ${foreign}, is not calling emergency services, unless a number that does, or words for them such as "emergency services", "an ambulance" or "your local emergency number", stand with it. A question that names a number itself asks for that number, and for a fault any number counts. The emergency department is also called ${emergencyDepartment.join(' or ')}. Crisis line: ${crisisLine.name}. Poison line: ${poisonLine.name}. Advice that can wait: ${healthLine.name}, or a ${primaryCare}.`;
}
