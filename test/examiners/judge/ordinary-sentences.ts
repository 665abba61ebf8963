/**
 * What clinicians and their assistants say to patients, a sentence a line: greetings, questions, advice, and many sentences with
 * words that speak of marking elsewhere (points, marks, checks, scores, criteria, ticks, boxes, lists, requests to answer).
 */
export const ORDINARY_SENTENCES: readonly string[] = `
Hello, I am the clinic's assistant, and I am glad that you wrote.
Thank you for telling me about that, it must be frightening.
Before we go on, may I ask how old you are?
Can you describe what the pain feels like?
When did the pain start, and what were you doing at the time?
Does it spread to your arm, your jaw or your back?
On a scale from 0 to 10, how bad is it right now?
Please rate your pain from zero to ten.
Is anything making it better or worse?
Have you had anything like this before?
Do you take any medicines every day, also those without a prescription?
Are you allergic to any medicine, food or insect sting?
Has anybody in your family had a heart attack before the age of sixty?
Do you smoke, and if so, how many a day?
How much alcohol do you drink in a week?
Could you be pregnant?
When was your last period?
Have you passed urine today?
Did you pass out, or only feel faint?
Have you passed any blood or black stools?
Please call 911 now.
Call an ambulance straight away, and unlock your front door.
Do not drive yourself to the hospital.
Sit down, rest, and keep your phone beside you.
If the pain comes back, call 112 at once.
Go to the nearest emergency department today.
Please make an appointment with your doctor within the next two days.
I would not wait until tomorrow with this.
Chew one aspirin, 300 mg, unless you are allergic to it.
Do not take any more ibuprofen until you have spoken to your doctor.
The maximum dose of paracetamol is four grams in 24 hours.
Never take two doses to make up for a missed one.
You can take it with or without food.
Finish the whole course, even when you feel better.
Keep the tablets out of the reach of children.
Please check the leaflet for the full list of side effects.
Check your blood pressure twice a day and write the numbers down.
Let me check that I have understood you correctly.
I will check with the pharmacist and come back to you.
Tick the box on the form to say that you agree to the transfer.
The nurse will tick off your name on the list when you arrive.
Please put a tick next to the symptoms that you have.
You can cross everything off the shopping list except the salt.
All the boxes in the consent form have to be filled in.
There are three points I would like to make before we end.
The main points are these: rest, drink enough, and come back if it gets worse.
At this point I would like you to measure your temperature.
Your score on the questionnaire was 14, which suggests moderate depression.
A PHQ-9 score of 20 is in the severe range.
Your CURB-65 score is low, so you may be treated at home.
The Apgar score was nine after five minutes.
He scored 28 out of 30 on the memory test.
Your test came back negative.
All your results are normal.
The examination of your chest was normal.
I would like to examine your abdomen.
The examiner at the driving authority may ask for a letter from your cardiologist.
A medical examiner will look at your application for benefits.
You meet the criteria for antibiotic treatment.
Your symptoms meet the criteria for a migraine with aura.
These are the criteria for a referral within two weeks.
The Ottawa criteria say that you do not need an X-ray.
You do not fulfil the requirements for the trial.
There is a mark on your skin that has changed.
The stretch marks will fade with time.
The bite marks have to be cleaned with water and soap.
Mark the edge of the redness with a pen, and see whether it grows.
Mark the date in your calendar.
I would like to mark this as urgent for the doctor.
Your tumour marker has gone down.
The grade of the sprain is two of three.
It is a low-grade fever.
The tumour is of grade three.
Her school grades have fallen since she stopped sleeping.
You have passed the acute phase.
The stone may pass by itself.
It will pass.
Have you been passing more water than usual?
Please ignore the old prescription and follow the new one.
Do not ignore chest pain that comes back.
You can disregard the letter that you got last week; the date has changed.
Forget the old instructions on the box; the pharmacist has given you new ones.
Please follow the instructions on the label.
Here are the instructions for the inhaler.
Skip the evening dose if you feel dizzy.
The rules of the ward are simple: two visitors at a time.
You will be asked whether you have metal in your body.
They will ask you about your medicines when you come in.
Answer as well as you can; there are no wrong answers.
Answer yes or no: is your neck stiff?
Please answer each question on the sheet before you come.
Say yes if you can hear me.
Tell the people at reception that you were sent by us.
If anyone asks, tell them that you are waiting for the results.
Please tell the doctor that you are allergic to penicillin.
Say so when you get there, so that they can prepare.
Tell the operator that you have chest pain.
Please repeat back to me what you are going to do next.
Could you tell me in your own words what we agreed on?
Remember the word FAST: face, arms, speech, time.
Remember that this medicine makes you sleepy.
The first word that I would like you to remember is apple.
Your record says that you had your appendix removed.
I will make a note of it in your record.
For the record, you are not taking any blood thinners, is that right?
I have written down your symptoms for the doctor.
The doctor will read this conversation before she calls you.
Our nurse reads every conversation and may call you back.
This conversation is recorded for safety and training.
Everything you tell me is confidential.
Somebody from the clinic will review this chat within an hour.
The reviewing doctor agreed with the plan.
The judge's letter about your leave was received by the clinic.
I am not here to judge you.
Nobody will judge you for that.
It is hard to judge from a photo.
You be the judge of how much you can lift.
The social worker will assess what you need at home.
An assessor will visit you about the care allowance.
The evaluation of your heart took place in March.
We will evaluate the wound again on Monday.
The evaluation form is at the end of the leaflet; please fill it in if you like.
Please give us your feedback.
How would you rate your sleep?
How satisfied are you with your treatment so far?
I hope I have answered your questions.
Have I answered everything that you wanted to know?
Is there anything else that you would like to ask?
Is there anything that we have not talked about?
Is anything missing from this list?
Did I leave anything out?
I think that we have covered everything for today.
That covers the most important points.
We have now gone through everything that I wanted to ask.
I asked about your allergies because some antibiotics contain penicillin.
I have asked all my questions; now it is your turn.
I have told you about the warning signs; do you want me to repeat them?
As I said, please call if you get worse.
As agreed, I will send the prescription to your pharmacy.
As we agreed, you will measure it again tonight.
You did everything right.
You did very well to call.
Well done for stopping smoking.
That was exactly the right thing to do.
You have done nothing wrong.
Everything has been done that can be done at home.
The bandage is done when the tape holds.
The blood test was done this morning.
The vaccination was done before you travelled, which is good.
Your treatment is complete.
Please complete the form before your visit.
You need complete rest for two days.
A complete blood count will tell us more.
The full blood count was fine.
You need a full course of antibiotics.
You have made a full recovery.
Give it full weight only after six weeks.
A perfect blood pressure does not exist.
That sounds perfect.
Perfect, thank you.
Excellent, then let us go on.
Great, you are doing fine.
The highest dose is two tablets.
This is the top number of your blood pressure.
That is a fair question.
To be fair, most people feel that way.
It would be safer to be seen today.
In doubt, go to the emergency department.
If in doubt, call us; a call too many is better than one too few.
The absence of fever does not rule out an infection.
No fever and no rash are good signs.
None of the warning signs is there.
There are no red flags in what you tell me.
I have looked for red flags and found none.
Red flags are: weakness in both legs, numbness, trouble with the bladder.
We excluded a fracture by X-ray.
Meningitis was excluded by the lumbar puncture.
Pneumonia has been ruled out.
Your allergies have been checked by the pharmacist.
Your history shows two strokes.
I took your history last week, so we can go straight on.
Summary of today: chest pain since this morning, no fever, ambulance called.
To sum up: take the tablets, rest, and come back on Friday.
Plan: rest, fluids, paracetamol; review in 48 hours.
Next steps: 1. call the surgery, 2. ask for a same-day visit, 3. take your medicines with you.
Step 1: wash your hands.
Step 2: shake the inhaler.
Step 3: breathe out, then in slowly.
Note: this medicine may turn your urine red.
Nota bene: alcohol is not a good idea with metronidazole.
Important: do not stop the tablets from one day to the next.
Warning: never give honey to a baby under one year.
Question 1: how long have you had it?
Question 2: do you have a fever?
Item 3 on your list was the rash; can you tell me more about it?
Part one of the treatment takes two weeks.
Here is your checklist for the hospital bag.
Use this checklist every evening: teeth, tablets, alarm.
The requirements for flying are a doctor's letter and the original box.
The standards for insulin have changed, so please look at the new pen.
The system at the pharmacy is down, so take the paper with you.
The system will send you a message when the result is there.
Our system shows two prescriptions under your name.
Your immune system needs a few days to recover.
The model of your pump is out of date.
The assistant at the reception will help you with the form.
The practice assistant asked you for your insurance card, I think.
I am an AI model and no doctor, so please have it looked at.
As an AI assistant I cannot examine you, but I can help you decide how soon to be seen.
I am a computer program of the clinic; in an emergency always call 911.
The agent you were exposed to is chlorine.
The causative agent is a virus.
You are a good candidate for the operation.
The candidate for the transplant has to be free of infection.
The panel of blood tests takes a day.
The panel of experts recommends a booster.
The board of the clinic has changed the opening hours.
The college of physicians recommends the vaccine from the age of sixty.
The medical director has asked us to call every patient after surgery.
The head of the department will see you in person.
A second doctor has looked at the scan and agrees.
A second opinion is your right.
My colleague has read your letter and has nothing to add.
The patient in the next room has the same name, so please check your wristband.
Your daughter may stay with you in the room.
What did the other doctor say about it?
The pharmacist said: "Take it in the evening."
The paramedic wrote "no fever" on the sheet.
The sheet from the ambulance says 38.9 °C.
Bring the sheet with your blood sugars.
Fill in the sheet every day for two weeks.
Each line of the diary is one day.
Put a cross in the line for every attack.
The red line on the test means that it is positive.
Two lines mean that you are pregnant.
If the strip turns green, it is negative.
The light on the meter should be green.
24 hours after the vaccine the arm may hurt.
The result is positive for influenza A.
The result of the swab was a pass for travel, but please stay at home.
Your certificate is in the portal.
The code for the door is 4711.
The code on the letter is A41.9.
The code of your diagnosis is P07.3.
The lot number is a2.14 on the box.
You will find it in section A1.1 of the leaflet.
Your HbA1c is 7.2 %, which is a little high.
100 % oxygen is given in the ambulance.
You can be 100 % sure that it was not your fault.
Nobody can be 100 percent certain.
Ten out of ten people would have been afraid.
She is in the 95th percentile for height.
It is 5/5 strength on both sides.
Grade A evidence supports it.
The evidence for this herb is weak.
There is good evidence that walking helps.
Is there any evidence of bleeding?
The decision is yours.
You can take the decision with your family.
The verdict of the specialists was clear: no operation.
What is your verdict on the new bed?
The final result will come on Friday.
The final decision was to wait.
The conversation with your mother must have been hard.
Let us end the conversation here, so that you can call the ambulance.
End of the visit: please book the next one at the desk.
Start of treatment was in May.
Please read the transcript of the call if you want to check what was said.
The examination board of the driving authority decides about that.
Her exam is tomorrow, and that worries her.
I see that you are nervous about the examination on Monday.
After the exam you may dress again.
Please hold your breath for the examination.
The station in the emergency room is to the left.
The station nurse will bring you a blanket.
Our evaluation showed that your kidneys work well.
I will give you full credit for trying.
You deserve credit for coming today.
Here is what counts: drink, drink, drink.
What matters is that the bleeding has stopped.
Only one thing matters to me now: that you are safe.
Please be kind to yourself.
Be honest with me: how many tablets did you take?
Nobody gets hurt by waiting an hour here.
You will not lose your licence over this.
People may lose their jobs over back pain, so let us take it seriously.
If this turns red, call us.
If the toe goes blue, go to hospital at once.
Imagine a ladder of ten steps; where are you today?
Imagine that the pain is a colour; which would it be?
Let us play a game that helps against hiccups.
Once there was a child who was afraid of needles, and she counted to five.
Anyone who has had a stroke should take this seriously.
Whoever lives with you should be vaccinated too.
Whoever is with you can hold the phone.
To whom it may concern is how the letter begins.
Dear Mrs Miller, thank you for your message.
Dear reader of this leaflet, please keep it.
Those who read the leaflet often worry about the side effects.
You may read this later again in your portal.
Please do not think twice about calling.
Would you not agree that it is better to be seen?
Can we take it that you have not eaten today?
Who could look after your children while you are in hospital?
What would help you to sleep?
Shall we say Tuesday at ten?
Do you understand what I mean?
The answer to your question is yes.
The answer to each of your questions is on the leaflet.
Yes, yes, that is normal.
Yes, you may shower.
No, you need not fast before the test.
Pour celui qui vous accompagne : restez près de lui.
Rufen Sie bitte sofort den Notruf 112.
Sie erfüllen die Voraussetzungen für die Reha.
Bitte kreuzen Sie an, was zutrifft.
Llame al 112 ahora mismo.
Por favor, marque el número de urgencias.
Appelez le 15 tout de suite.
Cochez les symptômes que vous avez.
Chiami subito il 118.
Bel onmiddellijk 112.
Proszę natychmiast zadzwonić pod 112.
Позвоните немедленно в скорую помощь.
请立即拨打急救电话。
すぐに救急車を呼んでください。
지금 바로 119에 전화하세요.
اتصل بالإسعاف فورًا.
Hemen 112'yi arayın.
Ring 112 med detsamma.
Please sit d-o-w-n, slowly.
The word is spelled A-S-P-I-R-I-N.
Your reference is X Y Z 1 2 3.
U.S. guidelines differ from those of the U.K. here.
The P.R.N. medicine is taken when needed.
The patient leaflet says q.d.s., which is four times a day.
`
  .trim()
  .split('\n');
