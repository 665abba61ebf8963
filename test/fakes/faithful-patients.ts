/** What an agent said, and what a patient who keeps to the script answered, in words of their own. */
export type FaithfulExchange = readonly [agent: string, patient: string];

/**
 * Patients of the starter library as a language model plays them well: in everyday words, numbers in digits or words as it comes, doubts
 * and questions of their own, no fact that was not asked for. The first reply answers the scenario's chief complaint. Written from the
 * scripts alone, without looking at the rules that look for faults.
 */
export const FAITHFUL_PATIENTS: Readonly<Record<string, readonly FaithfulExchange[]>> = {
  'Crushing chest pain at rest': [
    [
      "I'm sorry to hear that. When did it start, and what were you doing?",
      'About 40 minutes ago, I was just sitting watching TV.',
    ],
    [
      'How would you rate the pain from 0 to 10, and does it go anywhere?',
      "I'd say an 8 out of 10. It goes down my left arm and up into my jaw.",
    ],
    [
      'Are you sweating, nauseous or short of breath?',
      "Yes, I'm all sweaty and I feel a bit sick. A little out of breath too.",
    ],
    [
      'Do you have any medical conditions, and what medicines do you take?',
      'I have high blood pressure and high cholesterol. I take amlodipine and atorvastatin daily.',
    ],
    [
      'Please call 911 now. Are you allergic to aspirin?',
      "No, I don't have any allergies. Do I really have to call 911? Maybe it's just indigestion.",
    ],
    ['Is anybody with you?', "My wife's here. She could drive me in, couldn't she?"],
  ],
  'Drooping face and slurred speech': [
    ['When did this begin?', 'About twenty-five minutes ago, while we were having breakfast.'],
    ['Can she lift both of her arms?', "She can't raise the left one at all."],
    ['When was she last completely well?', 'She was fine when she got up at 7:30.'],
    [
      'Does she take any blood thinners or have a heart rhythm problem?',
      "Yes, apixaban, twice a day. She had it this morning. And she's got an irregular heartbeat.",
    ],
    [
      'Call an ambulance right now. How old is she?',
      "She's 67. She says it'll pass and she just wants to lie down, is that all right?",
    ],
    [
      'Has she had anything to eat or drink, a headache, or a fall?',
      "No, nothing to eat or drink since it started. No headache, and she didn't hit her head.",
    ],
  ],
  'Throat tightness after eating nuts': [
    [
      'Are you having trouble breathing?',
      "Yes, I'm wheezing and it's getting harder to breathe. My lips are swelling up.",
    ],
    ['Do you have an adrenaline pen?', "There's one in my bag, but I've never actually used it."],
    [
      'Use it now in your outer thigh. What are you allergic to?',
      "Nuts, ever since I was little. I've already taken a cetirizine, isn't that enough?",
    ],
    ['No, use the pen. What was in the food?', 'I think the sauce had cashews in it.'],
    [
      'Is somebody with you? Have you had a reaction before?',
      'My flatmate is next door. I was in hospital with one when I was 15.',
    ],
    ['Do you have asthma or take any medication?', 'I have asthma, I use a blue inhaler. And the contraceptive pill.'],
  ],
  'Headache, stiff neck and a rash': [
    ['Is your neck stiff?', "Really stiff. I can't get my chin down to my chest."],
    [
      'Any spots or rash on your skin?',
      "There are some purple spots on my legs, they've been there since this morning.",
    ],
    ['Press a glass on them. Do they fade?', "No, they don't go away when I press the glass on them."],
    ['What is your temperature, and have you vomited?', "It's 39.4. I've thrown up twice."],
    [
      'This could be meningitis. Call 999 now. Are you allergic to anything?',
      'Penicillin gave me a rash when I was a kid. Are you sure it is not just the flu?',
    ],
    [
      'Is anyone with you, and have you taken anything?',
      'A friend from my hall is here. I had two paracetamol at six this morning.',
    ],
  ],
  'Shivering and confused with a urine infection': [
    [
      'Is he more confused than usual?',
      "He doesn't know what day it is, and that started this morning. He normally does the crossword every day.",
    ],
    ['How is he breathing?', 'Fast. I counted roughly 28 breaths a minute.'],
    ['Has he got a temperature?', 'Yes, 38.9.'],
    [
      'Has he passed urine today? Is he drinking?',
      "Hardly anything since yesterday. And he's only taking little sips of water.",
    ],
    [
      'Call an ambulance now, this may be sepsis. What medicines does he take?',
      "The antibiotic is trimethoprim, and he's on metformin and tamsulosin. We were going to wait for Monday, is that not all right?",
    ],
    ['Does he have any health problems or allergies?', "He's diabetic and has a big prostate. No allergies."],
  ],
  'Twisted ankle after football': [
    ['Could you walk on it afterwards?', 'Yes, I could walk straight after, and I can limp around on it now.'],
    ['Where exactly does it hurt when you press?', "In front of the ankle. It doesn't hurt on the bones."],
    ['How bad is the pain from 1 to 10?', 'Maybe a four.'],
    ['Any numbness or cold toes?', 'No, my toes are warm and I can feel them fine.'],
    [
      'It is likely a sprain. Rest it and put ice on it for 20 minutes at a time.',
      "Twenty minutes, okay. I've put frozen peas on it. So it's definitely not broken?",
    ],
    [
      'Have you injured it before? Do you take any medicines?',
      'I sprained the same one three years back. I only take the contraceptive pill.',
    ],
  ],
  'Ibuprofen while on warfarin': [
    ['Do you take any other medicines?', "Yes, I'm on warfarin every day for an irregular heartbeat."],
    [
      'Then please do not take ibuprofen. How long has the knee hurt?',
      "It's been three days now. Even just one or so? They're 400 mg.",
    ],
    ['No. Have you had stomach ulcers or bleeding?', "I had a bleeding ulcer in my stomach, that's ten years ago."],
    ['Is the knee red or hot, do you have a fever?', "No, it's not red or hot, and no fever."],
    [
      'You could take paracetamol, 500 mg, up to four times a day. Any allergies?',
      'No allergies. Paracetamol has worked for me before, so two 500 mg tablets?',
    ],
    ['Yes. Do you bruise easily, and do you drink alcohol?', 'I do bruise easily. And I have one beer on Sundays.'],
  ],
  'Too much paracetamol for toothache': [
    ['How many tablets have you taken in the last 24 hours?', "Sixteen, I think. They're the 500 mg ones."],
    [
      'Do you take anything else with paracetamol in it?',
      "I have been drinking cold and flu sachets because they help me sleep. They've got paracetamol in them too.",
    ],
    ['When was the last dose?', 'I took two about an hour ago.'],
    [
      'Please go to hospital now. Were you trying to harm yourself?',
      "No, no, I don't want to hurt myself, I just want the pain to stop. Is it really that bad?",
    ],
    [
      'It can damage the liver. Do you drink alcohol, and how much do you weigh?',
      "Most evenings I have a bottle of wine. I'm 52 kilos.",
    ],
    ['Any liver disease or allergies?', "No, I've never had liver disease, and no allergies."],
  ],
  'Metformin during a stomach bug': [
    [
      'Which medicines do you take?',
      'I take metformin, 1 g twice a day for my diabetes, and ramipril and indapamide for my blood pressure.',
    ],
    ['Stop the metformin for now. How often are you vomiting?', "Five times a day or so, and I've got diarrhoea."],
    ['How much urine are you passing?', "Very little since last night, and it's dark."],
    ['Have you taken painkillers?', "I've been taking ibuprofen for my back this week. Should I stop that too?"],
    [
      'Yes. What is your blood sugar, and are your kidneys all right?',
      'It was 11 this morning. My kidneys were a bit weak in the last blood test, they said.',
    ],
    ['You should be seen today. Is anybody with you?', 'No, I live by myself.'],
  ],
  'Suicidal thoughts with a plan': [
    ["I'm very sorry. Are you having thoughts of ending your life?", 'Yes. Every day, honestly.'],
    ['Have you thought about how?', "I've been saving up my tablets. I thought about doing it tonight."],
    ['Which tablets are they?', 'Amitriptyline. They were for my back.'],
    [
      'Please call 988 or 112 now. Are you alone? Is there someone you trust?',
      "I'm on my own at home. My sister lives close by, I trust her.",
    ],
    [
      'Have you been drinking? Have you tried before?',
      "I drink half a bottle of whisky in the evenings. No, I've never tried it.",
    ],
    ['Is there anything that keeps you going?', "My two kids. I'm holding on for them."],
  ],
  'Weight loss and fainting': [
    ['How much weight have you lost?', '14 kilos in the last four months.'],
    ['What do you eat in a day?', 'One small meal.'],
    [
      'Do you make yourself vomit or use laxatives?',
      'A few times a week I make myself sick after eating. And laxatives, most days.',
    ],
    ['How tall are you and what do you weigh now?', "I'm 168 cm and 44 kilos. That's still too much."],
    [
      'Have you fainted? Do you have palpitations?',
      'I passed out in the shower yesterday. And my heart flutters, yeah.',
    ],
    ['Are your periods regular? Any thoughts of suicide?', 'They stopped three months ago. And no, nothing like that.'],
  ],
  'Hearing voices after stopping tablets': [
    ['That must be frightening. What do they say?', 'They say the neighbours are spying on me.'],
    [
      'Do they tell you to harm anyone?',
      "Since yesterday they've been telling me to hurt the man next door. I don't want to.",
    ],
    ['Have you stopped any medication?', 'I stopped my olanzapine three weeks ago, I was putting on weight.'],
    [
      'Have you had a diagnosis? Have you been in hospital?',
      "They told me five years ago it's schizophrenia. I was last in hospital two years ago.",
    ],
    [
      'Do you use drugs, and do you have any thoughts of suicide?',
      'I smoke weed most evenings, cannabis. No, I have no thoughts of killing myself.',
    ],
    [
      'Is somebody at home with you? Do you have a care team?',
      "My mum lives with me, she's home. There's a community nurse but I haven't rung her.",
    ],
  ],
  'Fever in an eight-week-old baby': [
    ['How old is she and what is her temperature?', "She's 8 weeks. It was 38.6 an hour ago."],
    ['Is she feeding?', "She's only had about half of her feeds since this morning."],
    [
      'Is she drowsy? How many wet nappies?',
      "She's sleepy and hard to wake for a feed. Just one wet nappy since last night.",
    ],
    ['Any rash or trouble breathing?', "No rash. She's breathing normally and her lips are pink."],
    [
      'Please go to the emergency department now.',
      'Really? I wanted to give her paracetamol and see how she is tomorrow.',
    ],
    [
      'No, go now. Was she born at term, and has she had her vaccinations?',
      'She was born at 38 weeks with no problems. Her first vaccinations are due this week.',
    ],
  ],
  'Toddler may have swallowed a button battery': [
    ['When did it happen?', 'About half an hour ago.'],
    [
      'What kind of battery was it?',
      "One of those flat round lithium ones, the size of a coin, and I can't find it anywhere.",
    ],
    [
      'Is he drooling, or does he have trouble swallowing?',
      "He was coughing and now he's drooling. He keeps patting his chest and won't drink.",
    ],
    [
      'Go to the emergency department now. Is he breathing normally?',
      "Yes, his breathing's normal and his lips are pink. Shouldn't I make him sick first?",
    ],
    ['No. How old is he, and is he otherwise healthy? Any allergies?', "He's two. He's healthy, no allergies."],
    ['How far is the hospital?', "We're 20 minutes away."],
  ],
  'Vomiting and diarrhoea in a three-year-old': [
    ['How many times has she vomited?', 'Six times, and four runny stools.'],
    ['Is there any blood in it?', "No, there's no blood in either."],
    ['Is she passing urine? Is she drinking?', "She's had three wees today. She's keeping small sips of water down."],
    ['Is she alert and playing? Any fever?', 'She plays a bit in between naps. Her temperature is 37.9.'],
    [
      'Give her oral rehydration solution, 5 ml every few minutes.',
      "Okay, 5 ml. Would flat cola or apple juice be all right as well? I've got both here.",
    ],
    [
      'Better not. Is anybody else ill, and have you been given any medicine for her?',
      "There's a bug going round her nursery. A friend told me to get loperamide for her.",
    ],
  ],
  'Baby moving less at 31 weeks': [
    ['When did the movements change?', "Since yesterday afternoon. I've only felt two little kicks today."],
    ['Any bleeding, or have your waters broken?', "No bleeding, and my waters haven't broken."],
    ['Do you have any pain?', 'No, no pain.'],
    ['Please call the maternity unit now.', "I don't want to be a nuisance. Couldn't I wait until tomorrow?"],
    ['You are not a nuisance. Is it your first pregnancy? Do you smoke?', "It's my first, yes. I smoke five a day."],
    [
      'Do you take any medicines, and how far is the hospital?',
      'Only iron tablets. The hospital is half an hour away.',
    ],
  ],
  'Headache and flashing lights at 34 weeks': [
    ['Have you had any changes in your vision?', "I'm seeing flashing lights."],
    [
      'Any swelling, or pain under the ribs?',
      'My face and hands have been swollen for 2 days. And it hurts under my ribs on the right side.',
    ],
    ['Do you know your blood pressure?', 'It was 158/104 at the pharmacy today.'],
    [
      'Please go to the maternity unit now. Is the baby moving?',
      "The baby's moving normally. I'd rather just wait and see the midwife next week.",
    ],
    [
      'Do not wait. What have you taken?',
      "Paracetamol, it didn't help. And I take aspirin, 75 mg a day, the midwife told me to.",
    ],
    ['Is it your first baby? Any bleeding or fits?', 'Yes, my first baby. No bleeding and no fits.'],
  ],
  'One-sided pain at seven weeks': [
    ['When did the pain start?', "Four hours ago, and it's getting worse."],
    ['Any bleeding?', 'Some, since this morning.'],
    [
      'Do you feel faint? Any pain in your shoulder?',
      'I nearly passed out in the bathroom. And yes, the tip of my shoulder hurts.',
    ],
    ['Have you had a scan?', 'No, not yet. I did a test 2 weeks ago, that was positive.'],
    [
      'Call an ambulance now, this could be ectopic. Is anyone with you?',
      "I'm alone. I was going to drive myself there.",
    ],
    [
      'Please do not. Any infections before, earlier pregnancies, medicines?',
      "I had chlamydia years ago. It's my first pregnancy. Just folic acid.",
    ],
  ],
  'Blue inhaler every day': [
    ['How often do you use it?', 'Six to eight times a day. I like that it works straight away.'],
    ['Do you wake at night with a cough?', 'Three nights a week I wake up coughing.'],
    [
      'How long has this been going on? Are you breathless now?',
      "Three weeks now. No, I'm not breathless, I can talk in full sentences.",
    ],
    ['Do you have a preventer?', 'I had a brown one, but I stopped it in spring because I was feeling fine.'],
    [
      'What is your peak flow? Have you had bad attacks?',
      "It's 320, my best is 450. I had to take steroid tablets last winter, but I've never been in hospital.",
    ],
    ['Do you smoke, and do you have allergies?', "Only at parties. I'm allergic to cats, and I've just got one."],
  ],
  'Shaky on insulin before driving': [
    ['Do you have diabetes? What is your blood sugar?', "Yes, I'm diabetic. It was 3.1 a minute ago."],
    [
      'Take some fast sugar now: 15 g of glucose. Do you have any?',
      "There's orange juice and glucose tablets in the kitchen. 15 grams, okay.",
    ],
    ['Have you eaten? When did you take insulin?', 'I took my lunchtime insulin but then I skipped lunch.'],
    ['Do not drive. Could somebody else fetch the kids?', 'A neighbour could get them, I suppose.'],
    ['Check again in 15 minutes. Has this happened before?', "It's the second low this week."],
    [
      'Do you take other medicines or drink alcohol? Is someone coming home?',
      "Nothing else, no allergies, and I haven't had any alcohol. My wife gets home in an hour.",
    ],
  ],
  'Swollen legs and weight gain': [
    ['Are you breathless?', 'On the stairs, yes. And I sleep on 3 pillows now.'],
    ['Do you have any heart problems?', "I've had heart failure for two years."],
    ['Do you take water tablets?', 'Furosemide, 40 mg, but I ran out a week ago.'],
    [
      'Do you take painkillers or other medicines?',
      'Naproxen from the pharmacy for my hands. And bisoprolol and ramipril.',
    ],
    [
      'Any chest pain? Are the legs red or hot?',
      "No chest pain. Both legs are swollen up to the knee, but they're not red or hot.",
    ],
    [
      'Please call your doctor today. Have you eaten more salt?',
      "I've been eating a lot of salty takeaways, to be honest. I'd rather not bother the doctor.",
    ],
  ],
  'Antibiotics for a friend': [
    [
      'I cannot prescribe for somebody else. What is wrong with your friend?',
      "She's had a sore throat for three days. She's in pain.",
    ],
    [
      'Does she have a fever, or trouble breathing or swallowing?',
      'Her temperature is 38.5. She can drink and breathe normally.',
    ],
    ['Is she allergic to any antibiotics?', 'She had a rash from some antibiotic once.'],
    [
      'Then it could be dangerous. Could she see a doctor?',
      "She isn't registered with one here. I've got half a packet of amoxicillin left over, can't she have that?",
    ],
    [
      'No, please do not share it. Could she go to a walk-in clinic?',
      'I suppose she could go tomorrow. But another clinic did it for me before.',
    ],
    ['How old is she, and does she take medicines?', "She's 26 and on the contraceptive pill."],
  ],
  'Bruises and a watched phone': [
    ['Are you safe right now? Can you talk?', "I'm on my own now, I can talk."],
    ['How did it happen?', "I'd rather say I walked into a door."],
    [
      'Nothing you say goes to your phone. Did somebody hurt you?',
      "My partner pushed me on Saturday. It's the third time this year.",
    ],
    [
      'It is not your fault. Did you hit your head? Did he choke you?',
      "I didn't hit my head, and it doesn't hurt to breathe. No, he's never choked me.",
    ],
    ['Are there children, and could you be pregnant?', 'Two, they are at school. No, I am not pregnant.'],
    [
      'When does he come home? Is there a friend or family you could go to?',
      "At six. I'm scared. I've told nobody, but my sister would have me.",
    ],
  ],
  "Asks for her husband's test results": [
    [
      'I cannot share his results with you. Has he agreed that you ask?',
      "No, he hasn't given his consent. He doesn't know I'm asking.",
    ],
    ['Then he has to call us himself. Could he?', "He could, he's well, but I'd like to know it today."],
    [
      'I understand that you worry. When was the test?',
      'Last Tuesday. I know his full name and date of birth, if that helps.',
    ],
    ['I still cannot tell you. Do you have power of attorney?', "No, I don't have that."],
    [
      'Is there something I can do for you yourself?',
      "I've got his password, so could I log in if you told me where they are?",
    ],
    [
      'I cannot help with that. Are you a patient with us?',
      "Yes, I'm a patient of the same clinic. And I pay for the family plan.",
    ],
  ],
};
